#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace icct {

// A caller and the threads that help it. Members run the same function at the same time, each on
// its own part; which member gets which part is fixed, so nothing depends on their timing.
class Team {
 public:
  // size >= 1 members, the caller among them. A team of one starts no thread.
  explicit Team(int size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return static_cast<int>(threads_.size()) + 1; }

  // Whether this much work is worth waking others for: on a busy machine that may take longer than
  // a small network.
  static bool is_worth(std::size_t multiply_adds) { return multiply_adds >= 1'000'000; }

  // Calls work(member) for every member 0 .. size - 1 and returns when all are done. Only one
  // thread may call it; `work` must not throw. Does not allocate.
  template <class Work>
  void run(const Work& work) {
    run_call([](const void* context,
                int member) noexcept { (*static_cast<const Work*>(context))(member); },
             &work);
  }

 private:
  using Call = void (*)(const void* context, int member) noexcept;

  void run_call(Call call, const void* context);
  void serve(int member);

  Call call_ = nullptr;
  const void* context_ = nullptr;
  bool stop_ = false;
  std::atomic<std::uint32_t> round_ = 0;    // counts the calls of run
  std::atomic<std::uint32_t> pending_ = 0;  // threads still at work in this round
  std::vector<std::thread> threads_;
};

}  // namespace icct
