#include "icct/imitation/distillation.h"

#include <algorithm>
#include <cmath>

#include "icct/base/error.h"
#include "icct/imitation/cart.h"
#include "icct/imitation/model_tree.h"
#include "icct/policy/policy_file.h"
#include "icct/train/train_options.h"

namespace icct {
namespace {

constexpr std::size_t kEpisodesAtOnce = 4;  // fixed, so that the result depends on no core count
constexpr double kLargestOutput = 10;       // before tanh, of a constant: 1 - tanh is 4e-9

// Constants in [-1, 1], up to rounding, as the outputs whose tanh they are.
void undo_tanh(Tree& tree) {
  for (Leaf& leaf : tree.leaves) {
    for (Controller& controller : leaf.controllers) {
      const double output = std::atanh(std::clamp(controller.bias, -1.0, 1.0));
      controller.bias = std::clamp(output, -kLargestOutput, kLargestOutput);
    }
  }
}

struct Met {
  Episode episode;
  std::vector<double> observations;
};

// An episode and all that it met. If it is lost, it is played once more.
Met play(Environment& environment, const Act& act, std::uint64_t seed) {
  Met met;
  const auto play_once = [&] {
    met.observations.clear();
    met.episode = run_episode(environment, act, seed, [&met](std::span<const double> x) {
      met.observations.insert(met.observations.end(), x.begin(), x.end());
    });
  };
  play_once();
  if (met.episode.lost) play_once();
  return met;
}

}  // namespace

Distillation::Distillation(Workers& workers, const Policy& blank, std::unique_ptr<Teacher> teacher,
                           const DistillOptions& options)
    : workers_(workers),
      student_(blank),
      teacher_(std::move(teacher)),
      options_(options),
      features_(feature_count(options.features, static_cast<int>(blank.observations.size()))),
      selection_(options.seed, options.validation_episodes, {"samples", "imitation_error"},
                 [](const Policy&) { return true; }) {
  student_.safe_action = teacher_->safe_action();
  if (options.weights == "critic")
    importance_.emplace(workers.environment(), *teacher_, options.seed);
}

std::int64_t Distillation::samples_per_tree() const {
  return static_cast<std::int64_t>(options_.samples) *
         (options_.method == "cart" ? options_.iterations : 1);
}

std::int64_t Distillation::budget() const {
  const bool critic_learns = importance_ && !importance_->learned();
  const std::int64_t critic = critic_learns ? ActionImportance::kSteps : critic_steps_;
  const std::int64_t so_far = asked_steps_ - critic_steps_;
  const auto all = static_cast<std::int64_t>(trees());
  const auto made = static_cast<std::int64_t>(iteration_);
  const std::int64_t trees = made == 0 ? all * samples_per_tree() : so_far * all / made;
  return std::max(steps_, critic + trees);
}

void Distillation::advance() {
  if (importance_ && !importance_->learned()) {
    critic_steps_ += importance_->learn(workers_.environment());
    steps_ = asked_steps_ = critic_steps_;
    return;
  }
  collect();
  if (steps_ - asked_steps_ < samples_per_tree()) return;
  ask();
  fit();
  consider();
  if (++iteration_ < trees()) return;
  selection_.decide(workers_);
  done_ = true;
}

// A few whole episodes: first the teacher's, later those of the latest tree.
void Distillation::collect() {
  const Act act = [this](std::span<const double> x, std::span<double> action) {
    iteration_ == 0 ? teacher_->act(x, action) : icct::act(student_, x, action);
  };
  std::vector<Met> played(kEpisodesAtOnce);
  workers_.for_each(kEpisodesAtOnce, [&](Environment& environment, std::size_t i) {
    const auto number = static_cast<std::uint64_t>(episodes_) + i;
    played[i] = play(environment, act, episode_seed(options_.seed, Purpose::Training, number));
  });
  if (std::ranges::all_of(played, [](const Met& met) { return met.episode.lost; }))
    throw all_lost(kEpisodesAtOnce, workers_.environment());
  episodes_ += kEpisodesAtOnce;
  for (const Met& met : played) {
    if (met.episode.lost) continue;
    steps_ += met.episode.steps;
    returns_.push_back(met.episode.total_reward);
    observations_.insert(observations_.end(), met.observations.begin(), met.observations.end());
  }
}

// Asks the teacher about what was met since the last time.
void Distillation::ask() {
  const std::size_t width = student_.observations.size();
  const std::size_t asked = actions_.size() / student_.actions.size();
  asked_steps_ = steps_;
  std::vector<double> action(student_.actions.size());
  for (std::size_t i = asked * width; i < observations_.size(); i += width) {
    teacher_->act({observations_.data() + i, width}, action);
    for (std::size_t a = 0; a < action.size(); ++a)
      actions_.push_back(scaled(action[a], student_.actions[a]));
  }
  if (!importance_) return;
  const auto fresh = static_cast<int>(observations_.size() / width - asked);
  const std::vector<double> importances =
      (*importance_)({observations_.data() + asked * width, fresh, static_cast<int>(width)});
  importances_.insert(importances_.end(), importances.begin(), importances.end());
}

Samples Distillation::samples(std::span<const double> weights) const {
  const auto width = static_cast<int>(student_.observations.size());
  const auto outputs = static_cast<int>(student_.actions.size());
  const auto rows = static_cast<int>(observations_.size() / student_.observations.size());
  return {{observations_.data(), rows, width}, {actions_.data(), rows, outputs}, weights};
}

void Distillation::fit() {
  const std::vector<double> weights = sample_weights(importances_);
  const Samples all = samples(weights);
  Tree tree;
  if (options_.method == "linear") {
    tree = fit_model_tree(all, {.max_leaves = options_.leaves,
                                .max_terms = features_,
                                .max_depth = options_.depth,
                                .min_leaf_samples = options_.leaf_samples,
                                .link = Link::Tanh});
  } else {
    tree = fit_cart(all, {.max_leaves = options_.leaves,
                          .max_depth = options_.depth,
                          .min_leaf_samples = options_.leaf_samples,
                          .pruning = options_.pruning});
    undo_tanh(tree);
  }
  student_.controller = std::move(tree);
}

// Mean squared difference from the teacher, of actions scaled to [-1, 1].
double Distillation::imitation_error() const {
  const Samples all = samples();
  std::vector<double> action(student_.actions.size());
  double sum = 0;
  for (int i = 0; i < all.x.rows; ++i) {
    act(student_, all.x.row(i), action);
    for (std::size_t a = 0; a < action.size(); ++a) {
      const double difference =
          scaled(action[a], student_.actions[a]) - all.y(i, static_cast<int>(a));
      sum += difference * difference;
    }
  }
  return sum / static_cast<double>(all.y.size());
}

void Distillation::consider() {
  selection_.consider(workers_, student_,
                      {.steps = steps_,
                       .episodes = episodes_,
                       .stage = iteration_ == 0 ? "teacher" : "dagger",
                       .training_return = summarise(std::move(returns_)).mean_return,
                       .details = {static_cast<double>(samples().x.rows), imitation_error()}});
  returns_.clear();
}

void Distillation::visit_state(StateArchive& archive) {
  std::string teacher = teacher_->fingerprint();
  archive.text("distillation.teacher", teacher);
  if (teacher != teacher_->fingerprint())
    throw Error(options_.teacher + ": the teacher has changed since the run was begun");
  selection_.visit_state(archive);
  visit_policy(archive, "distillation.student", student_);
  archive.list("distillation.observations", observations_);
  archive.list("distillation.actions", actions_);
  archive.list("distillation.importances", importances_);
  archive.value("distillation.critic_steps", critic_steps_);
  archive.value("distillation.steps", steps_);
  archive.value("distillation.asked_steps", asked_steps_);
  archive.list("distillation.returns", returns_);
  archive.value("distillation.episodes", episodes_);
  archive.value("distillation.iteration", iteration_);
  archive.value("distillation.done", done_);
  if (importance_) importance_->visit_state(archive);
}

}  // namespace icct
