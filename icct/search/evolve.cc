#include "icct/search/evolve.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "icct/base/option_range.h"
#include "icct/policy/policy_file.h"
#include "icct/search/active_numbers.h"

namespace icct {
namespace {

constexpr int kSpreadEpisodes = 20;      // at most
constexpr double kSpreadSteps = 20'000;  // enough of them

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double correlation(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 1;
}

// What one generation brought: the mean return of each candidate, and how well the two halves of
// the episodes agree about them (1: fully; 0: luck).
struct Generation {
  std::vector<double> fitness;
  double agreement;
  std::int64_t steps;
  std::int64_t episodes;
};

Generation run_generation(Workers& workers, std::span<const Policy> policies, int episodes,
                          std::span<const std::uint64_t> seeds) {
  std::vector<Workers::Task> tasks;
  for (const Policy& policy : policies) {
    for (const std::uint64_t seed : seeds) tasks.push_back({&policy, seed});
  }
  const std::vector<Episode> results = workers.run(tasks);
  const std::vector<bool> whole = whole_episodes(results, episodes);
  Generation generation{};
  std::vector<double> first, second;
  auto result = results.begin();
  for (std::size_t c = 0; c < policies.size(); ++c) {
    std::vector<double> returns;
    for (const bool counts : whole) {
      generation.steps += result->steps;
      if (counts) returns.push_back(result->total_reward);
      ++result;
    }
    const auto half = std::span<const double>(returns).first(returns.size() / 2);
    first.push_back(mean_of(half));
    second.push_back(mean_of(std::span<const double>(returns).subspan(half.size())));
    const double fitness = mean_of(returns);
    generation.fitness.push_back(rankable(fitness));
  }
  generation.episodes = static_cast<std::int64_t>(results.size());
  generation.agreement = correlation(first, second);
  return generation;
}

// More episodes while the halves hardly agree, fewer while they agree well.
double adapt_episodes(double episodes, double agreement, const EvolveOptions& options) {
  if (agreement < 0.2) episodes *= 1.1;
  if (agreement > 0.5) episodes *= 0.95;
  return std::clamp<double>(episodes, options.min_episodes, options.max_episodes);
}

}  // namespace

void validate(const EvolveOptions& o) {
  require_at_least("steps", static_cast<double>(o.steps), 1);
  require_positive("first_step", o.first_step, 10);
  if (o.population != 0) require_between("population", o.population, 4, 10000);
  require_at_least("min_episodes", o.min_episodes, 2);
  require_at_least("max_episodes", o.max_episodes, o.min_episodes);
  require_at_least("validate_every", o.validate_every, 1);
  require_at_least("validation_episodes", o.validation_episodes, 1);
}

std::vector<double> feature_spread(Environment& environment, const Policy& policy,
                                   std::uint64_t seed) {
  const std::size_t m = policy.observations.size();
  std::vector<double> sum(m), squares(m), largest(m);
  double count = 0;
  for (std::uint64_t i = 0; i < kSpreadEpisodes && count < kSpreadSteps; ++i) {
    run_episode(environment, policy, episode_seed(seed, Purpose::Training, i),
                [&](std::span<const double> x) {
                  ++count;
                  for (std::size_t j = 0; j < m; ++j) {
                    sum[j] += x[j];
                    squares[j] += x[j] * x[j];
                    largest[j] = std::max(largest[j], std::abs(x[j]));
                  }
                });
  }
  std::vector<double> spread(m);
  for (std::size_t j = 0; j < m; ++j) {
    const double variance = squares[j] / count - (sum[j] / count) * (sum[j] / count);
    spread[j] = std::max(std::sqrt(std::max(variance, 0.0)), 1e-3 * largest[j]);
    if (!(spread[j] > 0)) spread[j] = 1;
  }
  return spread;
}

Evolution::Evolution(const Policy& start, std::span<const double> spread,
                     const EvolveOptions& options, std::uint64_t seed, std::uint64_t stream)
    : start_(start),
      best_(start),
      scales_(active_scales(tree_of(start), spread)),
      options_(options),
      seed_(seed),
      stream_(stream),
      next_episode_((stream + 1) * kStreamEpisodes),
      episodes_(options.min_episodes) {
  icct::validate(options);
  begin();
}

Evolution::Evolution(StateArchive& archive) {
  visit_state(archive);
}

// Search coordinates are the active numbers over their scales.
void Evolution::begin() {
  std::vector<double> x = active_numbers(tree_of(start_));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] /= scales_[i];
  search_.emplace(x, options_.first_step, options_.population,
                  episode_seed(seed_, Purpose::Training, stream_));
  progress_.step_size = options_.first_step;
}

Policy Evolution::at(std::span<const double> x) const {
  std::vector<double> numbers(x.begin(), x.end());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] *= scales_[i];
  return with_active_numbers(start_, numbers);
}

void Evolution::advance(Workers& workers) {
  std::vector<Policy> policies;
  for (const auto& x : search_->ask()) policies.push_back(at(x));
  progress_.episodes = static_cast<int>(std::lround(episodes_));
  std::vector<std::uint64_t> seeds;
  for (int e = 0; e < progress_.episodes; ++e)
    seeds.push_back(episode_seed(seed_, Purpose::Training, next_episode_++));
  const Generation generation = run_generation(workers, policies, progress_.episodes, seeds);
  search_->tell(generation.fitness);
  episodes_ = adapt_episodes(episodes_, generation.agreement, options_);
  progress_.candidates = mean_of(generation.fitness);
  progress_.steps += generation.steps;
  progress_.episodes_run += generation.episodes;
  progress_.generation = search_->state().generation;
  progress_.step_size = search_->state().sigma;
}

bool Evolution::due() const {
  return finished() || progress_.generation % options_.validate_every == 0;
}

Policy Evolution::centre() const {
  return progress_.generation == 0 ? start_ : at(search_->state().mean);
}

void Evolution::judge(const Evaluation& centre) {
  progress_.validation = centre;
  const double mean = rankable(centre.mean_return);
  if (judged_ && mean <= progress_.best_validation) return;
  judged_ = true;
  progress_.best_validation = mean;
  best_ = this->centre();
}

void Evolution::visit_state(StateArchive& archive) {
  visit_policy(archive, "evolution.start", start_);
  visit_policy(archive, "evolution.best", best_);
  archive.list("evolution.scales", scales_);
  archive.value("evolution.options", options_);
  archive.value("evolution.seed", seed_);
  archive.value("evolution.stream", stream_);
  archive.value("evolution.next_episode", next_episode_);
  archive.value("evolution.episodes", episodes_);
  if (archive.reading()) begin();
  search_->visit_state(archive);
  archive.value("evolution.generation", progress_.generation);
  archive.value("evolution.steps", progress_.steps);
  archive.value("evolution.episodes_run", progress_.episodes_run);
  archive.value("evolution.last_episodes", progress_.episodes);
  archive.value("evolution.step_size", progress_.step_size);
  archive.value("evolution.candidates", progress_.candidates);
  archive.value("evolution.judged", judged_);
  archive.value("evolution.best_validation", progress_.best_validation);
}

Policy evolve(Workers& workers, const Policy& start, const EvolveOptions& options,
              std::uint64_t seed, const std::function<void(const EvolveProgress&)>& report) {
  icct::validate(options);
  require_match(start, workers.environment());
  Evolution evolution(start, feature_spread(workers.environment(), start, seed), options, seed, 0);
  const auto check = [&] {
    evolution.judge(evaluate(workers, evolution.centre(), Purpose::Validation, seed,
                             options.validation_episodes));
    if (report) report(evolution.progress());
  };
  try {
    check();
    while (!evolution.finished()) {
      evolution.advance(workers);
      if (evolution.due()) check();
    }
  } catch (const Interrupted&) {  // the best so far is whole
  }
  return evolution.best();
}

}  // namespace icct
