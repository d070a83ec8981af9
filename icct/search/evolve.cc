#include "icct/search/evolve.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "icct/base/option_range.h"
#include "icct/policy/policy_file.h"

namespace icct {
namespace {

constexpr int kSpreadEpisodes = 20;           // at most
constexpr double kSpreadSteps = 20'000;       // enough of them
constexpr double kEntriesPerGeneration = 10;  // of a covariance that are learned, about
constexpr int kValidateFew = 4;               // generations between validations
constexpr double kReplayedFew = 0.35;

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

// Place of every value among all, 0 for the smallest.
std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> places(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<double>(i);
  return places;
}

// How well two judges agree about the order of those that the first finds better than most. Any two
// agree about disasters; what decides where a search goes is the order of the rest.
double agreement_about_the_better(std::span<const double> first, std::span<const double> second) {
  const std::vector<double> places = ranks(first);
  std::vector<double> a, b;
  const std::size_t worse = places.size() / 2;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] < static_cast<double>(worse)) continue;
    a.push_back(first[i]);
    b.push_back(second[i]);
  }
  return correlation(ranks(a), ranks(b));
}

// What one generation brought: the mean return of each candidate, and how well the two halves of
// the episodes agree about the better ones (1: fully; 0: luck).
struct Generation {
  std::vector<double> fitness;
  std::vector<std::vector<double>> returns;  // by episode, then by candidate; none of lost ones
  double agreement;
  std::int64_t steps;
  std::int64_t episodes;
};

Generation run_generation(Workers& workers, std::span<const Policy> policies,
                          std::span<const std::uint64_t> seeds, int horizon) {
  std::vector<Workers::Task> tasks;
  for (const Policy& policy : policies) {
    for (const std::uint64_t seed : seeds) tasks.push_back({&policy, seed, horizon});
  }
  const std::vector<Episode> results = workers.run(tasks);
  const std::vector<bool> whole = whole_episodes(results, static_cast<int>(seeds.size()));
  Generation generation{};
  generation.returns.resize(seeds.size());
  std::vector<double> first, second;
  auto result = results.begin();
  for (std::size_t c = 0; c < policies.size(); ++c) {
    std::vector<double> returns;
    for (std::size_t e = 0; e < seeds.size(); ++e, ++result) {
      generation.steps += result->simulated;
      if (!whole[e]) continue;
      returns.push_back(result->total_reward);
      generation.returns[e].push_back(rankable(result->total_reward));
    }
    const auto half = std::span<const double>(returns).first(returns.size() / 2);
    first.push_back(rankable(mean_of(half)));
    second.push_back(rankable(mean_of(std::span<const double>(returns).subspan(half.size()))));
    generation.fitness.push_back(rankable(mean_of(returns)));
  }
  generation.episodes = static_cast<std::int64_t>(results.size());
  generation.agreement =
      (agreement_about_the_better(first, second) + agreement_about_the_better(second, first)) / 2;
  return generation;
}

// The mean of every candidate, episodes counting as much as they stand for.
std::vector<double> weighted_means(const Generation& generation, std::span<const double> weights) {
  std::vector<double> means(generation.fitness.size());
  for (std::size_t e = 0; e < weights.size(); ++e) {
    const std::vector<double>& returns = generation.returns[e];
    for (std::size_t c = 0; c < returns.size(); ++c) means[c] += weights[e] * returns[c];
  }
  return means;
}

// More episodes while the halves hardly agree, fewer while they agree well.
double adapt_episodes(double episodes, double agreement, const EvolveOptions& options) {
  if (agreement < 0.1) episodes *= 1.15;
  if (agreement > 0.3) episodes *= 0.93;
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
  require_between("replayed", o.replayed, 0, 0.5);
  require_at_least("horizon", o.horizon, 0);
}

void make_the_most(EvolveOptions& options, std::size_t numbers, int max_steps) {
  const int population = options.population > 0 ? options.population : default_population(numbers);
  const double generation = static_cast<double>(population) * options.min_episodes * max_steps;
  const double learned = kEntriesPerGeneration * static_cast<double>(options.steps) / generation;
  const bool few = static_cast<double>(numbers * numbers) > learned;
  if (!few) return;
  options.covariance = Covariance::Diagonal;
  options.validate_every = kValidateFew;
  options.replayed = kReplayedFew;
}

std::vector<double> feature_spread(Environment& environment, const Policy& policy,
                                   std::uint64_t seed, int horizon) {
  const std::size_t m = policy.observations.size();
  std::vector<double> sum(m), squares(m), largest(m);
  double count = 0;
  for (std::uint64_t i = 0; i < kSpreadEpisodes && count < kSpreadSteps; ++i) {
    const Visit add = [&](std::span<const double> x) {
      ++count;
      for (std::size_t j = 0; j < m; ++j) {
        sum[j] += x[j];
        squares[j] += x[j] * x[j];
        largest[j] = std::max(largest[j], std::abs(x[j]));
      }
    };
    run_episode(environment, policy, episode_seed(seed, Purpose::Training, i), add, horizon);
  }
  std::vector<double> spread(m);
  for (std::size_t j = 0; j < m; ++j) {
    const double variance = squares[j] / count - (sum[j] / count) * (sum[j] / count);
    spread[j] = std::max(std::sqrt(std::max(variance, 0.0)), 1e-3 * largest[j]);
    if (!(spread[j] > 0)) spread[j] = 1;
  }
  return spread;
}

SearchSpace space_for(Environment& environment, const Policy& start, const EvolveOptions& options,
                      std::uint64_t seed) {
  if (options.covariance == Covariance::Diagonal)
    return local_space(tree_of(start), visits(environment, start, seed, 0, options.horizon));
  return even_space(tree_of(start), feature_spread(environment, start, seed, options.horizon));
}

Evolution::Evolution(const Policy& start, SearchSpace space, const EvolveOptions& options,
                     std::uint64_t seed, std::uint64_t stream)
    : start_(start),
      best_(start),
      space_(std::move(space)),
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

void Evolution::begin() {
  search_.emplace(coordinates(space_, tree_of(start_)), options_.first_step, options_.population,
                  episode_seed(seed_, Purpose::Training, stream_), options_.covariance);
  progress_.step_size = options_.first_step;
}

// New ones and old ones take turns, so that the two halves of them are alike.
std::vector<std::uint64_t> Evolution::draw_episodes() {
  const auto count = static_cast<std::size_t>(std::lround(episodes_));
  const auto most = static_cast<std::size_t>(options_.replayed * static_cast<double>(count));
  const std::vector<std::uint64_t> again = telling_.due(most);
  std::vector<std::uint64_t> seeds;
  for (auto old = again.begin(); seeds.size() < count;) {
    seeds.push_back(episode_seed(seed_, Purpose::Training, next_episode_++));
    if (old != again.end()) seeds.push_back(*old++);
  }
  return seeds;
}

void Evolution::advance(Workers& workers) {
  std::vector<Policy> policies;
  for (const auto& x : search_->ask()) policies.push_back(policy_at(space_, start_, x));
  const std::vector<std::uint64_t> seeds = draw_episodes();
  Generation generation = run_generation(workers, policies, seeds, options_.horizon);
  if (options_.replayed > 0) {
    generation.fitness = weighted_means(generation, telling_.weights(seeds, generation.returns));
    for (std::size_t e = 0; e < seeds.size(); ++e) {
      if (!generation.returns[e].empty()) telling_.note(seeds[e], generation.returns[e]);
    }
  }
  search_->tell(generation.fitness);
  if (sum_anew_) {
    centre_.assign(space_.searched.size(), 0.0);
    summed_ = 0;
    sum_anew_ = false;
  }
  for (std::size_t i = 0; i < centre_.size(); ++i) centre_[i] += search_->state().mean[i];
  ++summed_;
  episodes_ = adapt_episodes(episodes_, generation.agreement, options_);
  progress_.episodes = static_cast<int>(seeds.size());
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
  if (progress_.generation == 0) return start_;
  std::vector<double> mean = centre_;
  for (double& value : mean) value /= summed_;
  return policy_at(space_, start_, mean);
}

void Evolution::judge(const Evaluation& centre) {
  progress_.validation = centre;
  if (const double mean = rankable(centre.mean_return);
      !judged_ || mean > progress_.best_validation) {
    judged_ = true;
    progress_.best_validation = mean;
    best_ = this->centre();
  }
  sum_anew_ = true;
}

void Evolution::validate(Workers& workers) {
  judge(evaluate(workers, centre(), Purpose::Validation, seed_, options_.validation_episodes,
                 options_.horizon));
}

void Evolution::visit_state(StateArchive& archive) {
  visit_policy(archive, "evolution.start", start_);
  visit_policy(archive, "evolution.best", best_);
  archive.list("evolution.scales", space_.scales);
  archive.list("evolution.pivots", space_.pivots);
  archive.list("evolution.searched", space_.searched);
  archive.value("evolution.options", options_);
  archive.value("evolution.seed", seed_);
  archive.value("evolution.stream", stream_);
  archive.value("evolution.next_episode", next_episode_);
  archive.value("evolution.episodes", episodes_);
  archive.list("evolution.centre", centre_);
  archive.value("evolution.summed", summed_);
  archive.value("evolution.sum_anew", sum_anew_);
  telling_.visit_state(archive);
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
  Evolution evolution(start, space_for(workers.environment(), start, options, seed), options, seed,
                      0);
  const auto check = [&] {
    evolution.validate(workers);
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
