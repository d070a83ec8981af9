#include "icct/imitation/action_importance.h"

#include <algorithm>

#include "icct/nn/denormals.h"
#include "icct/rollout/rollout.h"

namespace icct {
namespace {

constexpr double kTried = 0.3;  // share of steps with a random action
constexpr int kBatch = 128;
constexpr std::int64_t kStepsPerPiece = 1'000;
constexpr int kUpdatesPerPiece = 2'000;
constexpr double kLearningRate = 1e-3;
constexpr double kTau = 0.01;
constexpr float kDiscount = 0.99f;
constexpr double kLeast = 0.01;  // the smallest weight
constexpr int kMaxLost = 20;     // episodes in a row
// Training episodes of its own, far from those of imitation.
constexpr std::uint64_t kFirstEpisode = std::uint64_t{1} << 40;
const std::vector<int> kHidden = {64, 64};

void append(std::vector<float>& to, std::span<const double> values) {
  for (const double value : values) to.push_back(static_cast<float>(value));
}

void append_scaled(std::vector<float>& to, std::span<const double> action, const Space& bounds) {
  for (std::size_t i = 0; i < action.size(); ++i)
    to.push_back(static_cast<float>(scaled(action[i], bounds[i])));
}

// Rows of a matrix, `indices` of them in their order.
void gather(const std::vector<float>& rows, std::size_t width, std::span<const int> indices,
            std::vector<float>& to) {
  to.clear();
  for (const int i : indices) {
    const auto row =
        rows.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * width);
    to.insert(to.end(), row, row + static_cast<std::ptrdiff_t>(width));
  }
}

MatrixView<const float> matrix(const std::vector<float>& values, std::size_t width) {
  return {values.data(), static_cast<int>(values.size() / width), static_cast<int>(width)};
}

}  // namespace

ActionImportance::ActionImportance(const Environment& environment, const Teacher& teacher,
                                   std::uint64_t seed)
    : teacher_(teacher),
      actions_(environment.actions()),
      observations_(environment.observations().size()),
      seed_(seed),
      rng_(episode_seed(seed, Purpose::Training, kFirstEpisode - 1)),
      team_(1),
      critic_(static_cast<int>(observations_), static_cast<int>(actions_.size()), kHidden, kBatch,
              team_, rng_) {}

std::int64_t ActionImportance::learn(Environment& environment) {
  if (const auto before = std::ssize(reward_); before < kSteps) {
    for (int lost = 0; std::ssize(reward_) < std::min(before + kStepsPerPiece, kSteps);) {
      lost = play_episode(environment) ? 0 : lost + 1;
      if (lost == kMaxLost) throw all_lost(kMaxLost, environment);
    }
    return std::ssize(reward_) - before;
  }
  const FlushDenormals flush;
  for (int i = 0; i < kUpdatesPerPiece && !learned(); ++i) update();
  return 0;
}

bool ActionImportance::play_episode(Environment& environment) {
  std::vector<double> x(observations_);
  std::vector<double> next_x(observations_);
  std::vector<double> action(actions_.size());
  environment.reset(episode_seed(seed_, Purpose::Training, kFirstEpisode + episodes_++), x);
  for (bool running = true; running;) {
    teacher_.act(x, action);
    if (rng_.uniform() < kTried) {
      for (std::size_t i = 0; i < action.size(); ++i)
        action[i] = rng_.uniform(actions_[i].lower, actions_[i].upper);
    }
    const Step step = environment.step(action, next_x);
    if (step.lost) return false;  // the steps before it were real
    append(x_, x);
    append_scaled(a_, action, actions_);
    reward_.push_back(static_cast<float>(step.reward));
    append(next_x_, next_x);
    ends_.push_back(step.terminated ? 1.0f : 0.0f);
    teacher_.act(next_x, action);
    append_scaled(next_a_, action, actions_);
    x.swap(next_x);
    running = !step.terminated && !step.truncated;
  }
  return true;
}

// One step of the critics towards the value of the teacher.
void ActionImportance::update() {
  std::vector<int> rows(kBatch);
  for (int& row : rows) row = rng_.below(static_cast<int>(reward_.size()));
  std::vector<float> x;
  std::vector<float> a;
  gather(next_x_, observations_, rows, x);
  gather(next_a_, actions_.size(), rows, a);
  TwinValues values;
  values.resize(kBatch);
  critic_.evaluate_targets({matrix(x, observations_), matrix(a, actions_.size())}, values);
  std::vector<float> target(kBatch);
  for (int i = 0; i < kBatch; ++i) {
    const auto row = static_cast<std::size_t>(rows[static_cast<std::size_t>(i)]);
    target[static_cast<std::size_t>(i)] =
        reward_[row] + (1 - ends_[row]) * kDiscount * values.minimum(i);
  }
  gather(x_, observations_, rows, x);
  gather(a_, actions_.size(), rows, a);
  critic_.regress({matrix(x, observations_), matrix(a, actions_.size())}, target, 0.5f, values);
  critic_.step(kLearningRate, kTau);
  ++updates_;
}

// At each observation: the teacher's action, and those with one component at a bound.
std::vector<double> ActionImportance::operator()(MatrixView<const double> observations) {
  const FlushDenormals flush;
  const std::size_t actions = actions_.size();
  const int variants = 1 + 2 * static_cast<int>(actions);
  std::vector<double> importance;
  std::vector<double> action(actions);
  std::vector<float> x;
  std::vector<float> a;
  TwinValues values;
  values.resize(variants);
  for (int i = 0; i < observations.rows; ++i) {
    teacher_.act(observations.row(i), action);
    x.clear();
    a.clear();
    for (int v = 0; v < variants; ++v) {
      append(x, observations.row(i));
      append_scaled(a, action, actions_);
      if (v > 0)
        a[a.size() - actions + static_cast<std::size_t>((v - 1) / 2)] = v % 2 == 0 ? -1.0f : 1.0f;
    }
    critic_.evaluate_targets({matrix(x, observations_), matrix(a, actions)}, values);
    double lowest = static_cast<double>(values.minimum(0));
    double highest = lowest;
    for (int v = 1; v < variants; ++v) {
      lowest = std::min(lowest, static_cast<double>(values.minimum(v)));
      highest = std::max(highest, static_cast<double>(values.minimum(v)));
    }
    importance.push_back(highest - lowest);
  }
  return importance;
}

std::vector<double> sample_weights(std::span<const double> importance) {
  double mean = 0;
  for (const double value : importance) mean += value / static_cast<double>(importance.size());
  std::vector<double> weights;
  for (const double value : importance)
    weights.push_back(mean > 0 ? std::max(value / mean, kLeast) : 1);
  return weights;
}

void ActionImportance::visit_state(StateArchive& archive) {
  archive.rng("importance.rng", rng_);
  archive.value("importance.updates", updates_);
  archive.value("importance.episodes", episodes_);
  critic_.visit_state(archive);
  archive.list("importance.x", x_);
  archive.list("importance.a", a_);
  archive.list("importance.reward", reward_);
  archive.list("importance.next_x", next_x_);
  archive.list("importance.next_a", next_a_);
  archive.list("importance.ends", ends_);
}

}  // namespace icct
