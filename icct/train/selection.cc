#include "icct/train/selection.h"

#include <algorithm>
#include <cmath>

#include "icct/policy/parameter_count.h"
#include "icct/policy/policy_file.h"

namespace icct {
namespace {

constexpr std::size_t kFinalists = 8;
// Episodes of a finalist after each round, per episode of a validation; the better half goes on.
constexpr int kFinalRounds[] = {2, 4, 8};
constexpr std::size_t kPublishedEpisodes = 5;

int leaves_of(const Policy& policy) {
  const auto* tree = std::get_if<Tree>(&policy.controller);
  return tree == nullptr ? 0 : static_cast<int>(tree->leaves.size());
}

void visit_row(StateArchive& archive, ProgressRow& row) {
  archive.value("row.steps", row.steps);
  archive.value("row.episodes", row.episodes);
  archive.value("row.seconds", row.seconds);
  archive.text("row.stage", row.stage);
  archive.value("row.training_return", row.training_return);
  archive.value("row.validation_mean", row.validation_mean);
  archive.value("row.validation_error", row.validation_error);
  archive.value("row.validation_worst", row.validation_worst);
  archive.value("row.best_validation", row.best_validation);
  archive.value("row.leaves", row.leaves);
  archive.value("row.parameters", row.parameters);
  archive.list("row.details", row.details);
}

// As many elements as were saved, each visited by visit(element). Reading makes them one by one, so
// that a damaged count allocates nothing.
template <class T, class Visit>
void visit_elements(StateArchive& archive, const std::string& name, std::vector<T>& values,
                    const Visit& visit) {
  std::uint64_t size = values.size();
  archive.value(name, size);
  if (archive.reading()) values.clear();
  for (std::uint64_t i = 0; i < size; ++i) {
    if (archive.reading()) values.emplace_back();
    visit(values[i]);
  }
}

}  // namespace

Selection::Selection(std::uint64_t seed, int episodes, std::vector<std::string> detail_names,
                     Fits fits)
    : seed_(seed), episodes_(episodes), fits_(std::move(fits)) {
  progress_.detail_names = std::move(detail_names);
}

Evaluation Selection::consider(Workers& workers, const Policy& policy, const Standing& standing) {
  Evaluation validation = evaluate(workers, policy, Purpose::Validation, seed_, episodes_);
  enter(policy, validation, standing.steps);
  note_published(validation);
  progress_.rows.push_back({.steps = standing.steps,
                            .episodes = standing.episodes,
                            .seconds = 0,
                            .stage = standing.stage,
                            .training_return = standing.training_return,
                            .validation_mean = validation.mean_return,
                            .validation_error = validation.standard_error,
                            .validation_worst = validation.worst_return,
                            .best_validation = best_validation(),
                            .leaves = leaves_of(policy),
                            .parameters = count_parameters(policy),
                            .details = standing.details});
  return validation;
}

void Selection::note_published(const Evaluation& validation) {
  if (validation.returns.size() < kPublishedEpisodes) return;
  double mean = 0;
  for (std::size_t i = 0; i < kPublishedEpisodes; ++i)
    mean += validation.returns[i] / static_cast<double>(kPublishedEpisodes);
  if (std::isfinite(mean)) published_ = published_ ? std::max(*published_, mean) : mean;
}

void Selection::stamp(double seconds) {
  for (auto row = progress_.rows.rbegin(); row != progress_.rows.rend() && row->seconds == 0; ++row)
    row->seconds = seconds;
}

void Selection::enter(const Policy& policy, const Evaluation& validation, std::int64_t steps) {
  for (const Finalist& finalist : finalists_) {
    if (finalist.policy == policy) return;
  }
  finalists_.push_back({.policy = policy,
                        .mean = rankable(validation.mean_return),
                        .error = validation.standard_error,
                        .steps = steps,
                        .parameters = count_parameters(policy),
                        .fits = fits_(policy)});
  sort(finalists_);
  if (finalists_.size() > kFinalists) finalists_.pop_back();
}

// Of equals, the smaller policy.
void Selection::sort(std::span<Finalist> finalists) {
  std::ranges::stable_sort(finalists, [](const Finalist& a, const Finalist& b) {
    if (a.fits != b.fits) return a.fits;
    return a.mean != b.mean ? a.mean > b.mean : a.parameters < b.parameters;
  });
}

void Selection::decide(Workers& workers) {
  if (finalists_.size() == 1) return;
  if (episodes_ > 1 && finalists_.front().error == 0) return;  // luck has no part in it
  for (Finalist& finalist : finalists_) finalist.mean = finalist.counted = 0;
  std::size_t playing = finalists_.size();
  for (const int factor : kFinalRounds) {
    const int until = factor * episodes_;
    play_final(workers, playing, played_, until);
    std::span still(finalists_.begin(), playing);
    sort(still);
    played_ = until;
    playing = (playing + 1) / 2;
  }
}

// The first few finalists on validation episodes from `played` to `until` after those of
// `consider`; their means are over all from the first but those that were lost.
void Selection::play_final(Workers& workers, std::size_t playing, int played, int until) {
  std::vector<Workers::Task> tasks;
  for (std::size_t f = 0; f < playing; ++f) {
    for (int i = played; i < until; ++i) {
      const auto index = static_cast<std::uint64_t>(episodes_) + static_cast<std::uint64_t>(i);
      tasks.push_back({&finalists_[f].policy, episode_seed(seed_, Purpose::Validation, index)});
    }
  }
  const std::vector<Episode> results = workers.run(tasks);
  auto result = results.begin();
  for (std::size_t f = 0; f < playing; ++f) {
    Finalist& finalist = finalists_[f];
    double sum = finalist.mean * finalist.counted;
    for (int i = played; i < until; ++i, ++result) {
      if (result->lost) continue;
      sum += result->total_reward;
      ++finalist.counted;
    }
    finalist.mean = rankable(sum / finalist.counted);
  }
}

void Selection::visit_state(StateArchive& archive) {
  visit_elements(archive, "selection.finalists", finalists_, [&archive](Finalist& finalist) {
    visit_policy(archive, "finalist.policy", finalist.policy);
    archive.value("finalist.mean", finalist.mean);
    archive.value("finalist.error", finalist.error);
    archive.value("finalist.steps", finalist.steps);
    archive.value("finalist.parameters", finalist.parameters);
    archive.value("finalist.fits", finalist.fits);
  });
  archive.value("selection.played", played_);
  double published = published_.value_or(NAN);
  archive.value("selection.published", published);
  published_ = std::isnan(published) ? std::nullopt : std::optional(published);
  visit_elements(archive, "selection.rows", progress_.rows,
                 [&archive](ProgressRow& row) { visit_row(archive, row); });
}

}  // namespace icct
