#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "icct/base/check.h"
#include "icct/base/space.h"
#include "icct/env/scene.h"

namespace icct {

// What one step brought, beside the next observation. At most one of the two flags is set.
struct Step {
  double reward = 0;
  bool terminated = false;  // the task itself ended: there is no future to value
  bool truncated = false;   // the time limit cut an episode that could have gone on
  bool lost = false;        // truncated because the simulator failed: this episode tells nothing

  bool operator==(const Step&) const = default;
};

// Something beside the return that is counted in an episode, such as collisions.
struct Metric {
  std::string name;
  double value = 0;

  bool operator==(const Metric&) const = default;
};

// Takes one sentence: what went wrong with a simulator, and what is done about it.
using TellIncident = std::function<void(const std::string& incident)>;

// A task that one policy acts on, one episode after another. Same seed and same actions give the
// same run to the last bit, whatever was run on this object before. A step allocates nothing, but
// for what a simulator does inside. Objects share nothing: use one per thread.
class Environment {
 public:
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  virtual ~Environment() = default;

  virtual const std::string& name() const = 0;
  virtual const Space& observations()
      const = 0;  // bounds, where finite, hold for every observation
  virtual const Space& actions() const = 0;
  virtual int max_steps() const = 0;  // the time limit of an episode

  // Steps that a reset simulates before the episode begins: it may take as long.
  virtual int warm_up_steps() const { return 0; }

  // Begins an episode, also in the middle of another, and writes its first observation.
  // `observation` has one entry per dimension. If a simulator fails here, the first step is lost.
  virtual void reset(std::uint64_t seed, std::span<double> observation) = 0;

  // One step of the running episode; writes the observation after it. An episode runs from reset to
  // the first step that is terminated or truncated; stepping outside of one breaks a promise.
  // Throws Error and leaves the episode as it was unless `action` has one finite number per
  // dimension. What happens outside the action bounds is for each environment to say.
  virtual Step step(std::span<const double> action, std::span<double> observation) = 0;

  // The same step in two halves, so that a simulator in another process can work while its caller
  // does something else. Exactly one finish_step follows a begin_step, before any other call.
  virtual void begin_step(std::span<const double> action) {
    begun_.assign(action.begin(), action.end());
  }
  virtual Step finish_step(std::span<double> observation) { return step(begun_, observation); }

  // Whether the first half of a step only asks another process to work.
  virtual bool works_aside() const { return false; }

  // Whether an episode can go on in several ways from the same moment. Only then:
  virtual bool keeps_moments() const { return false; }

  // Keeps the present moment of the running episode, beside those kept before. A reset forgets all.
  virtual void keep_moment() { ICCT_CHECK(false); }

  // Back to the moment kept last, also after the end of the episode; it is no longer kept then.
  virtual void return_to_moment() { ICCT_CHECK(false); }

  // What was counted since the last reset; always the same names in the same order.
  virtual std::vector<Metric> metrics() { return {}; }

  // The present moment as a picture; empty where there is nothing to draw.
  virtual Scene scene() { return {}; }

  // From now on `tell` is called at once when something goes wrong with a simulator, by the thread
  // that waits for it.
  virtual void tell_incidents(const TellIncident& /*tell*/) {}

 private:
  std::vector<double> begun_;
};

}  // namespace icct
