#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "icct/imitation/samples.h"

namespace icct {

// Samples of one node of a growing tree: positions [begin, end) of every sorted column.
struct NodeRange {
  int begin = 0;
  int end = 0;

  int size() const { return end - begin; }
};

// Sums over the samples of a node. Outputs are measured from their mean over all samples.
struct NodeSums {
  double weight = 0;
  double squared_error = 0;    // of the best constants, summed over the outputs
  std::vector<double> output;  // weighted sums
  bool pure = false;           // all outputs are the same
};

// "x[feature] <= threshold", the first `left` samples of the feature's column.
struct ColumnSplit {
  int feature = 0;
  double threshold = 0;
  int left = 0;
  double score = 0;  // sum over both sides and all outputs of (sum of outputs)^2 / weight
};

// The samples, sorted once by every feature. A node of the tree owns the same range of all columns;
// splitting it divides each column, in its order, so that nothing is ever sorted again.
class SortedColumns {
 public:
  explicit SortedColumns(const Samples& samples);

  int size() const { return static_cast<int>(goes_left_.size()); }
  std::span<const double> mean() const { return mean_; }  // of every output, over all samples
  NodeSums sums(NodeRange node) const;

  // The split that leaves the smallest squared error, at least `min_samples` on either side; of
  // equals the first feature and the lowest threshold. None if no feature varies enough.
  std::optional<ColumnSplit> best_split(NodeRange node, const NodeSums& sums,
                                        int min_samples) const;

  // Divides the node's samples: [begin, begin + split.left) answer yes.
  void divide(NodeRange node, const ColumnSplit& split);

 private:
  // A sample in a column. Equal values of the column's feature have equal ranks.
  struct Entry {
    std::uint32_t sample;
    std::uint32_t rank;
  };

  void sort_column(int feature);
  template <int kOutputs, bool kWeighted>
  std::optional<ColumnSplit> scan(NodeRange node, const NodeSums& sums, int min_samples) const;
  template <int kOutputs, bool kWeighted>
  void scan_column(int feature, NodeRange node, const NodeSums& sums, int min_samples,
                   ColumnSplit& best) const;
  double threshold_at(int feature, int position) const;

  Samples samples_;
  std::vector<double> mean_;
  std::vector<double> outputs_;  // samples x outputs, times the weight, measured from the mean
  std::vector<std::vector<Entry>> columns_;
  std::vector<std::uint8_t> goes_left_;  // per sample, of the node that is divided
  std::vector<Entry> right_;             // scratch of divide
};

}  // namespace icct
