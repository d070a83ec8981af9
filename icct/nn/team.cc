#include "icct/nn/team.h"

#include "icct/base/check.h"
#include "icct/nn/denormals.h"

namespace icct {
namespace {

// Looks this often before it sleeps: some ten microseconds, longer than the pauses inside an
// update. On a busy machine the other thread may not be running at all; then sleeping is what lets
// it run.
constexpr int kLooks = 500;

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int look = 0; look < kLooks; ++look) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause_briefly();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Team::Team(int size) {
  ICCT_CHECK(size >= 1);
  threads_.reserve(static_cast<std::size_t>(size) - 1);
  for (int member = 1; member < size; ++member)
    threads_.emplace_back([this, member] { serve(member); });
}

Team::~Team() {
  stop_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::run_call(Call call, const void* context) {
  if (threads_.empty()) return call(context, 0);
  call_ = call;
  context_ = context;
  pending_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  call(context, 0);
  for (;;) {
    const std::uint32_t left = pending_.load(std::memory_order_acquire);
    if (left == 0) return;
    wait_while(pending_, left);
  }
}

void Team::serve(int member) {
  const FlushDenormals flush;
  for (std::uint32_t seen = 0;; ++seen) {
    wait_while(round_, seen);
    if (stop_) return;
    call_(context_, member);
    pending_.fetch_sub(1, std::memory_order_release);
    pending_.notify_one();
  }
}

}  // namespace icct
