#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "icct/imitation/action_importance.h"
#include "icct/imitation/distill_options.h"
#include "icct/imitation/samples.h"
#include "icct/imitation/teacher.h"

namespace icct {

// Imitation by DAgger (Ross et al., 2011): the teacher says what to do wherever the tree gets by
// itself, and the next tree is fitted to all that was said so far. The first episodes are the
// teacher's own; `cart` stops there. Which tree is kept is decided on validation episodes.
class Distillation final : public Learner {
 public:
  // `blank` gives names and spaces. Options as validated by make_distillation.
  Distillation(Workers& workers, const Policy& blank, std::unique_ptr<Teacher> teacher,
               const DistillOptions& options);

  bool finished() const override { return done_; }
  void advance() override;  // a few episodes; where they are enough, a tree
  std::int64_t steps() const override { return steps_; }
  std::int64_t budget() const override;  // an estimate: episodes are whole
  Selection& selection() override { return selection_; }
  void visit_state(StateArchive& archive) override;

 private:
  void collect();
  void ask();
  void fit();
  void consider();
  Samples samples(std::span<const double> weights = {}) const;
  double imitation_error() const;
  std::size_t trees() const { return options_.method == "cart" ? 1 : options_.iterations; }
  std::int64_t samples_per_tree() const;  // at least

  Workers& workers_;
  Policy student_;  // the latest tree
  std::unique_ptr<Teacher> teacher_;
  DistillOptions options_;
  int features_;  // per leaf and action, of linear leaves
  Selection selection_;
  std::optional<ActionImportance> importance_;
  // What was met and what the teacher did there, in [-1, 1].
  std::vector<double> observations_, actions_;
  std::vector<double> importances_;  // of the samples, if they are weighted
  std::int64_t critic_steps_ = 0;    // to learn that
  std::int64_t steps_ = 0, episodes_ = 0;
  std::int64_t asked_steps_ = 0;  // those that the teacher has been asked about
  std::vector<double> returns_;   // of the episodes since then
  std::size_t iteration_ = 0;
  bool done_ = false;
};

}  // namespace icct
