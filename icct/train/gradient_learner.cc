#include "icct/train/gradient_learner.h"

#include <cmath>
#include <numbers>

#include "icct/base/error.h"
#include "icct/base/option_range.h"
#include "icct/policy/policy_file.h"
#include "icct/rl/mlp_actor.h"
#include "icct/tree/initialise.h"
#include "icct/tree/learnable.h"

namespace icct {

class GradientLearner::Algorithm {
 public:
  virtual ~Algorithm() = default;
  virtual void explore(std::span<const double> x, Rng& rng, std::span<double> action) = 0;
  virtual void update(const Batch& batch, Rng& rng) = 0;
  virtual void move_actor(std::span<const float> parameters) = 0;
  virtual std::vector<double> details() const = 0;  // of the last update, see detail_names
  virtual std::variant<Tree, Mlp<double>> controller() = 0;
  virtual void visit_state(StateArchive& archive) = 0;
};

namespace {

constexpr double kRecent = 0.95;  // weight of the past in the mean of training returns

// Share of random actions in a run that begins with a tree. A good tree hardly varies its actions,
// and critics that have seen no others lead it astray.
constexpr double kRandomShare = 0.2;

// An actor that began with a tree is lost when it is this many standard errors below its best.
constexpr double kLost = 3;

std::vector<std::string> detail_names(const SacOptions&) {
  return {"critic_loss", "actor_loss", "entropy_coefficient", "entropy", "value", "penalty"};
}
std::vector<std::string> detail_names(const Td3Options&) {
  return {"critic_loss", "actor_loss", "value", "penalty"};
}
std::vector<double> numbers(const SacReport& r) {
  return {r.critic_loss, r.actor_loss, r.entropy_coefficient, r.entropy, r.value, r.penalty};
}
std::vector<double> numbers(const Td3Report& r) {
  return {r.critic_loss, r.actor_loss, r.value, r.penalty};
}

template <class Method, class Options, class Report>
class Adapter final : public GradientLearner::Algorithm {
 public:
  Adapter(Actor<float>& actor, const Options& options, Rng& rng) : method_(actor, options, rng) {}

  void explore(std::span<const double> x, Rng& rng, std::span<double> action) override {
    method_.explore(x, rng, action);
  }
  void update(const Batch& batch, Rng& rng) override { report_ = method_.update(batch, rng); }
  void move_actor(std::span<const float> parameters) override { method_.move_actor(parameters); }
  std::vector<double> details() const override { return numbers(report_); }
  std::variant<Tree, Mlp<double>> controller() override { return method_.controller(); }
  void visit_state(StateArchive& archive) override {
    method_.visit_state(archive);
    archive.value("report", report_);
  }

 private:
  Method method_;
  Report report_{};
};

std::unique_ptr<GradientLearner::Algorithm> make_algorithm(Actor<float>& actor,
                                                           const GradientOptions& options,
                                                           Rng& rng) {
  if (const auto* sac = std::get_if<SacOptions>(&options.algorithm))
    return std::make_unique<Adapter<Sac, SacOptions, SacReport>>(actor, *sac, rng);
  return std::make_unique<Adapter<Td3, Td3Options, Td3Report>>(
      actor, std::get<Td3Options>(options.algorithm), rng);
}

int batch_size(const GradientOptions& options) {
  return std::visit([](const auto& o) { return o.batch_size; }, options.algorithm);
}

// The spread at which a Gaussian has SAC's usual target entropy of -1 per action, before squashing.
const double kSettledLogStd = -1 - std::log(2 * std::numbers::pi * std::numbers::e) / 2;

std::unique_ptr<Actor<float>> make_actor(const GradientOptions& options, const Policy& blank,
                                         Rng& rng) {
  if (const auto* plan = std::get_if<TreeActorPlan>(&options.actor)) {
    if (options.start) {
      return std::make_unique<TreeActor<float>>(
          TreeActor<float>::from(learnable(tree_of(*options.start), plan->tree, kSettledLogStd),
                                 batch_size(options), plan->learning));
    }
    FuzzyTree<float> tree(plan->tree);
    initialise_published(tree, rng);
    return std::make_unique<TreeActor<float>>(std::move(tree), batch_size(options), plan->learning);
  }
  auto actor = std::make_unique<MlpActor<float>>(
      static_cast<int>(blank.observations.size()), std::get<MlpActorPlan>(options.actor).hidden,
      static_cast<int>(blank.actions.size()), batch_size(options));
  initialise(actor->network(), rng);
  return actor;
}

Policy with_controller(Policy policy, std::variant<Tree, Mlp<double>> controller) {
  policy.controller = std::move(controller);
  return policy;
}

}  // namespace

void validate(const GradientOptions& options) {
  std::visit([](const auto& o) { icct::validate(o); }, options.algorithm);
  require_between("steps", static_cast<double>(options.steps), 1, 1e15);
  require_between("replay_capacity", options.replay_capacity, 1, 1 << 28);
  require_between("learning_starts", options.learning_starts, 1, 1 << 30);
  require_between("validate_every", options.validate_every, 1, 1 << 30);
  require_between("validation_episodes", options.validation_episodes, 1, 1 << 20);
}

GradientLearner::GradientLearner(std::unique_ptr<Environment> environment, Workers& workers,
                                 const Policy& blank, const GradientOptions& options,
                                 std::uint64_t seed)
    : environment_(std::move(environment)),
      workers_(workers),
      policy_(blank),
      options_((icct::validate(options), options)),
      seed_(seed),
      rng_(seed),
      actor_(make_actor(options, blank, rng_)),
      algorithm_(make_algorithm(*actor_, options, rng_)),
      replay_(options.replay_capacity, static_cast<int>(blank.observations.size()),
              static_cast<int>(blank.actions.size())),
      batch_(batch_size(options), static_cast<int>(blank.observations.size()),
             static_cast<int>(blank.actions.size())),
      selection_(seed, options.validation_episodes,
                 std::visit([](const auto& o) { return detail_names(o); }, options.algorithm),
                 [](const Policy&) { return true; }),
      recent_return_(NAN),
      observation_(blank.observations.size()),
      next_observation_(blank.observations.size()),
      action_(blank.actions.size()),
      scaled_action_(blank.actions.size()) {
  require_match(with_controller(blank, algorithm_->controller()), *environment_);
}

GradientLearner::~GradientLearner() = default;

// One episode, or what is left of the budget.
void GradientLearner::advance() {
  if (options_.start && selection_.empty()) return validate_policy();
  environment_->reset(episode_seed(seed_, Purpose::Training, static_cast<std::uint64_t>(episodes_)),
                      observation_);
  episode_return_ = 0;
  bool running = true;
  while (running && steps_ < options_.steps) {
    step(running);
    if (steps_ % options_.validate_every == 0 || steps_ == options_.steps) validate_policy();
  }
  ++episodes_;
  if (!std::isnan(episode_return_))
    recent_return_ = std::isnan(recent_return_)
                         ? episode_return_
                         : kRecent * recent_return_ + (1 - kRecent) * episode_return_;
  if (steps_ < options_.steps) return;
  selection_.decide(workers_);
  done_ = true;
}

void GradientLearner::choose_action() {
  const bool blindly =
      options_.start ? rng_.uniform() < kRandomShare : steps_ < options_.learning_starts;
  if (blindly) {
    for (double& a : action_) a = rng_.uniform(-1, 1);
  } else {
    algorithm_->explore(observation_, rng_, action_);
  }
  for (std::size_t i = 0; i < action_.size(); ++i) {
    const Dimension& bounds = policy_.actions[i];
    scaled_action_[i] = bounds.lower + (action_[i] + 1) / 2 * (bounds.upper - bounds.lower);
  }
}

void GradientLearner::step(bool& running) {
  choose_action();
  const bool aside = environment_->works_aside() && replay_.size() > 0;
  environment_->begin_step(scaled_action_);
  if (aside && learning()) learn();
  const Step step = environment_->finish_step(next_observation_);
  if (!step.lost)
    replay_.add({observation_, action_, step.reward, next_observation_, step.terminated});
  observation_.swap(next_observation_);
  episode_return_ += step.lost ? NAN : step.reward;
  if (!aside && learning()) learn();
  ++steps_;
  running = !step.terminated && !step.truncated;
}

void GradientLearner::learn() {
  replay_.sample(rng_, batch_);
  algorithm_->update(batch_, rng_);
}

void GradientLearner::validate_policy() {
  policy_.controller = algorithm_->controller();
  if (options_.start) keep_names(tree_of(*options_.start), std::get<Tree>(policy_.controller));
  const Evaluation validation = selection_.consider(workers_, policy_,
                                                    {.steps = steps_,
                                                     .episodes = episodes_,
                                                     .stage = steps_ == 0 ? "start" : "learn",
                                                     .training_return = recent_return_,
                                                     .details = algorithm_->details()});
  if (options_.start) guard(validation);
}

// Where critics see no difference the actor follows their errors. Once it is lost it would have to
// learn all over again; brought back to its best, with critics that now know better, it need not.
void GradientLearner::guard(const Evaluation& validation) {
  if (selection_.best_steps() == steps_) {
    best_actor_.assign(actor_->parameters().begin(), actor_->parameters().end());
  } else if (validation.mean_return + kLost * validation.standard_error <
             selection_.best_validation()) {
    algorithm_->move_actor(best_actor_);
  }
}

void GradientLearner::visit_state(StateArchive& archive) {
  visit_start(archive, options_.start ? write_policy(*options_.start) : "");
  selection_.visit_state(archive);
  archive.rng("gradient_learner.rng", rng_);
  archive.value("gradient_learner.steps", steps_);
  archive.value("gradient_learner.episodes", episodes_);
  archive.value("gradient_learner.done", done_);
  archive.value("gradient_learner.recent_return", recent_return_);
  if (options_.start) {
    best_actor_.resize(actor_->parameters().size());
    archive.values("gradient_learner.best_actor", std::span<float>(best_actor_));
  }
  algorithm_->visit_state(archive);
  replay_.visit_state(archive);
}

}  // namespace icct
