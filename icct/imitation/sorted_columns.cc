#include "icct/imitation/sorted_columns.h"

#include <algorithm>
#include <array>
#include <bit>

namespace icct {
namespace {

// The upper half of a key that orders doubles as unsigned numbers; -0 and 0 get the same.
std::uint32_t coarse_key(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  const std::uint64_t key = (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
  return static_cast<std::uint32_t>(key >> 32);
}

struct Keyed {
  std::uint32_t key;
  std::uint32_t sample;
};

// Sums of outputs; in registers if their number is known.
template <int kOutputs>
struct Accumulator : std::array<double, kOutputs> {
  explicit Accumulator(int) : std::array<double, kOutputs>{} {}
  explicit Accumulator(const std::vector<double>& values) {
    std::ranges::copy(values, this->begin());
  }
};
template <>
struct Accumulator<0> : std::vector<double> {
  explicit Accumulator(int outputs) : std::vector<double>(outputs) {}
  explicit Accumulator(const std::vector<double>& values) : std::vector<double>(values) {}
};

constexpr int kAhead = 24;  // samples from the prefetch of an output to its use

// A stable sort by key, eleven bits at a time.
void radix_sort(std::vector<Keyed>& values) {
  constexpr int kBits = 11;
  constexpr std::size_t kBuckets = std::size_t{1} << kBits;
  std::vector<Keyed> other(values.size());
  for (int shift = 0; shift < 32; shift += kBits) {
    std::array<std::size_t, kBuckets + 1> begin{};
    for (const Keyed& v : values) ++begin[((v.key >> shift) & (kBuckets - 1)) + 1];
    for (std::size_t i = 1; i <= kBuckets; ++i) begin[i] += begin[i - 1];
    for (const Keyed& v : values) other[begin[(v.key >> shift) & (kBuckets - 1)]++] = v;
    values.swap(other);
  }
}

}  // namespace

SortedColumns::SortedColumns(const Samples& samples) : samples_(samples) {
  const int n = samples.x.rows;
  const int outputs = samples.y.columns;
  mean_.resize(outputs);
  double weight = 0;
  for (int i = 0; i < n; ++i) weight += samples.weight(i);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < outputs; ++k) mean_[k] += samples.weight(i) * samples.y(i, k) / weight;
  }
  outputs_.reserve(samples.y.size());
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < outputs; ++k)
      outputs_.push_back(samples.weight(i) * (samples.y(i, k) - mean_[k]));
  }
  goes_left_.resize(n);
  right_.resize(n);
  columns_.resize(samples.x.columns);
  for (int feature = 0; feature < samples.x.columns; ++feature) sort_column(feature);
}

void SortedColumns::sort_column(int feature) {
  const int n = size();
  std::vector<double> x(n);
  std::vector<Keyed> keyed(n);
  for (int i = 0; i < n; ++i) {
    x[i] = samples_.x(i, feature);
    keyed[i] = {coarse_key(x[i]), static_cast<std::uint32_t>(i)};
  }
  radix_sort(keyed);
  // Values that differ in the lower half of their key only.
  for (auto run = keyed.begin(); run != keyed.end();) {
    const auto end =
        std::find_if(run, keyed.end(), [run](const Keyed& v) { return v.key != run->key; });
    if (end - run > 1)
      std::stable_sort(run, end,
                       [&x](const Keyed& a, const Keyed& b) { return x[a.sample] < x[b.sample]; });
    run = end;
  }
  std::vector<Entry>& column = columns_[feature];
  column.resize(n);
  std::uint32_t rank = 0;
  for (int i = 0; i < n; ++i) {
    if (i > 0 && x[keyed[i].sample] != x[keyed[i - 1].sample]) ++rank;
    column[i] = {keyed[i].sample, rank};
  }
}

NodeSums SortedColumns::sums(NodeRange node) const {
  const int outputs = samples_.y.columns;
  NodeSums sums;
  sums.output.resize(outputs);
  sums.pure = true;
  const auto first = samples_.y.row(static_cast<int>(columns_[0][node.begin].sample));
  double squares = 0;
  for (int i = node.begin; i < node.end; ++i) {
    const auto sample = static_cast<int>(columns_[0][i].sample);
    const double weight = samples_.weight(sample);
    sums.weight += weight;
    for (int k = 0; k < outputs; ++k) {
      const double weighted = outputs_[static_cast<std::size_t>(sample) * outputs + k];
      sums.output[k] += weighted;
      squares += weighted * weighted / weight;
      sums.pure = sums.pure && samples_.y(sample, k) == first[k];
    }
  }
  for (const double sum : sums.output) squares -= sum * sum / sums.weight;
  sums.squared_error = sums.pure ? 0 : std::max(squares, 0.0);
  return sums;
}

std::optional<ColumnSplit> SortedColumns::best_split(NodeRange node, const NodeSums& sums,
                                                     int min_samples) const {
  const bool weighted = !samples_.weights.empty();
  switch (samples_.y.columns) {
    case 1:
      return weighted ? scan<1, true>(node, sums, min_samples)
                      : scan<1, false>(node, sums, min_samples);
    case 2:
      return weighted ? scan<2, true>(node, sums, min_samples)
                      : scan<2, false>(node, sums, min_samples);
    default:
      return weighted ? scan<0, true>(node, sums, min_samples)
                      : scan<0, false>(node, sums, min_samples);
  }
}

template <int kOutputs, bool kWeighted>
std::optional<ColumnSplit> SortedColumns::scan(NodeRange node, const NodeSums& sums,
                                               int min_samples) const {
  ColumnSplit best{.score = -1};
  for (int feature = 0; feature < samples_.x.columns; ++feature)
    scan_column<kOutputs, kWeighted>(feature, node, sums, min_samples, best);
  if (best.score < 0) return {};
  best.threshold = threshold_at(best.feature, node.begin + best.left);
  return best;
}

// kOutputs: their number if it is known when compiling, else 0.
template <int kOutputs, bool kWeighted>
void SortedColumns::scan_column(int feature, NodeRange node, const NodeSums& sums, int min_samples,
                                ColumnSplit& best) const {
  const Entry* column = columns_[feature].data() + node.begin;
  const int n = node.size();
  if (column[0].rank == column[n - 1].rank) return;
  const int outputs = kOutputs > 0 ? kOutputs : samples_.y.columns;
  Accumulator<kOutputs> left(outputs);
  const Accumulator<kOutputs> total(sums.output);
  double left_weight = 0;
  const int last = n - min_samples;
  for (int i = 0; i < last; ++i) {
    // Outputs lie in the order of the samples, not of the column.
    __builtin_prefetch(outputs_.data() +
                       std::size_t{column[std::min(i + kAhead, n - 1)].sample} * outputs);
    const std::size_t sample = column[i].sample;
    const double* y = outputs_.data() + sample * outputs;
    for (int k = 0; k < outputs; ++k) left[k] += y[k];
    left_weight = kWeighted ? left_weight + samples_.weights[sample] : i + 1;
    if (i + 1 < min_samples || column[i].rank == column[i + 1].rank) continue;
    double left_square = 0;
    double right_square = 0;
    for (int k = 0; k < outputs; ++k) {
      const double right = total[k] - left[k];
      left_square += left[k] * left[k];
      right_square += right * right;
    }
    const double score = left_square / left_weight + right_square / (sums.weight - left_weight);
    if (score > best.score) best = {.feature = feature, .left = i + 1, .score = score};
  }
}

// Between the value at a position of a column and the one before, as near to the middle as doubles
// allow; the value before is on its yes side.
double SortedColumns::threshold_at(int feature, int position) const {
  const auto value = [&](int i) {
    return samples_.x(static_cast<int>(columns_[feature][i].sample), feature);
  };
  const double below = value(position - 1);
  const double above = value(position);
  const double middle = below / 2 + above / 2;
  return middle >= above || middle < below ? below : middle;
}

void SortedColumns::divide(NodeRange node, const ColumnSplit& split) {
  const auto& chosen = columns_[split.feature];
  for (int i = node.begin; i < node.end; ++i)
    goes_left_[chosen[i].sample] = i < node.begin + split.left ? 1 : 0;
  for (int feature = 0; feature < samples_.x.columns; ++feature) {
    if (feature == split.feature) continue;
    Entry* column = columns_[feature].data() + node.begin;
    Entry* left = column;
    Entry* right = right_.data();
    // Both are written, one of them moves on: no branch to mispredict.
    for (int i = 0; i < node.size(); ++i) {
      const Entry entry = column[i];
      const std::uint8_t yes = goes_left_[entry.sample];
      *left = entry;
      *right = entry;
      left += yes;
      right += 1 - yes;
    }
    std::copy(right_.data(), right, left);
  }
}

}  // namespace icct
