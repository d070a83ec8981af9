#pragma once

#include <variant>
#include <vector>

#include "icct/base/state_archive.h"
#include "icct/rl/actor.h"

namespace icct {

// An exponential average of an actor's parameters. The crisp choices of a tree flip back and forth
// while it learns; those of the average change seldom.
class ActorAverage {
 public:
  // weight: of the past in each update, [0, 1); 0: no average is kept and the actor itself stands
  // for it. Starts from the actor's parameters. The actor belongs to the caller.
  ActorAverage(Actor<float>& actor, double weight);

  void restart();  // from the actor's parameters
  void update();   // average = weight * average + (1 - weight) * parameters

  // What is to be deployed.
  std::variant<Tree, Mlp<double>> controller();

  std::span<const float> parameters() const { return average_; }  // empty if none is kept
  void visit_state(StateArchive& archive);

 private:
  Actor<float>& actor_;
  float weight_;
  std::vector<float> average_;
};

}  // namespace icct
