#include "icct/rl/actor_average.h"

#include <algorithm>

namespace icct {

ActorAverage::ActorAverage(Actor<float>& actor, double weight)
    : actor_(actor), weight_(static_cast<float>(weight)) {
  restart();
}

void ActorAverage::restart() {
  if (weight_ > 0) average_.assign(actor_.parameters().begin(), actor_.parameters().end());
}

void ActorAverage::update() {
  const auto parameters = actor_.parameters();
  for (std::size_t i = 0; i < average_.size(); ++i)
    average_[i] = weight_ * average_[i] + (1 - weight_) * parameters[i];
}

std::variant<Tree, Mlp<double>> ActorAverage::controller() {
  if (average_.empty()) return actor_.controller();
  std::ranges::swap_ranges(average_, actor_.parameters());
  auto result = actor_.controller();
  std::ranges::swap_ranges(average_, actor_.parameters());
  return result;
}

void ActorAverage::visit_state(StateArchive& archive) {
  archive.values("actor.average", std::span<float>(average_));
}

}  // namespace icct
