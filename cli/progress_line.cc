#include "cli/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "icct/base/number.h"

namespace icct {
namespace {

constexpr std::chrono::seconds kBetweenLines(10);
constexpr std::chrono::milliseconds kBetweenRewrites(100);

// 68,200 instead of 68213.
std::string thousands(double value) {
  const int digits = value >= 1 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
  const double unit = std::pow(10.0, std::max(digits - 3, 0));
  return grouped_text(static_cast<std::int64_t>(std::round(value / unit) * unit));
}

std::string line(const std::string& what, const RunProgress& p) {
  const double share = static_cast<double>(p.steps) / static_cast<double>(p.budget);
  std::string text = what + ": " + std::to_string(static_cast<int>(100 * std::min(share, 1.0))) +
                     " %, " + thousands(p.steps_per_second) + " steps/s";
  if (!p.stage.empty()) {
    text += ", " + p.stage + (p.leaves > 0 ? " (leaves: " + std::to_string(p.leaves) + ")" : "") +
            ", return " + rounded_text(p.validation, 4) + ", best " +
            rounded_text(p.best_validation, 4);
  }
  if (p.steps == 0) return text;  // nothing is known about the time
  if (p.steps >= p.budget) return text + ", measuring the best";
  // By the pace of the whole run: a process that has just resumed knows none of its own.
  return text + ", " + duration_text(p.seconds * (1 / share - 1)) + " left";
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const std::string& what, const RunProgress& progress) {
  show(line(what, progress));
}

void ProgressLine::show(const std::string& text) {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && now - last_ < (terminal_ ? kBetweenRewrites : kBetweenLines)) return;
  last_ = now;
  shown_ = true;
  if (terminal_) {
    std::cerr << "\r\033[K" << text << std::flush;
  } else {
    std::cerr << text << "\n";
  }
}

void ProgressLine::tell(const std::string& what, const std::string& incident) {
  const std::lock_guard lock(mutex_);
  std::cerr << (terminal_ ? "\r\033[K" : "") << what << ": " << incident << "\n";
}

void ProgressLine::end() {
  const std::lock_guard lock(mutex_);
  if (shown_ && terminal_) std::cerr << "\n";
}

}  // namespace icct
