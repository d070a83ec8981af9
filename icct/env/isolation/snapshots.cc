#include "icct/env/isolation/snapshots.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <list>
#include <memory>
#include <vector>

#include "icct/env/isolation/process.h"
#include "icct/env/isolation/serve.h"
#include "icct/env/isolation/shared_memory.h"

namespace icct {
namespace {

// A process in the moment after a reset.
struct Keeper {
  std::uint64_t seed;
  pid_t pid;
  std::unique_ptr<SharedMemory<sem_t>> play;  // asks for another episode
};

constexpr int kBack = 10;  // the code of a process that ends for a moment before it to go on

// Stays in this moment while a fork goes on with the episode. Comes back in the fork at once, and
// in this process when the fork is to return. Ends as the fork does otherwise, which is when a
// reset was asked for or something went wrong.
void keep_moment(const Channel& channel) {
  const pid_t own = getpid();
  const pid_t next = fork();
  if (next == 0) return be_killed_with_parent(own);
  int status = 1 << 8;
  if (next > 0) waitpid(next, &status, 0);
  const bool back = WIFEXITED(status) && WEXITSTATUS(status) == kBack;
  if (!back || channel.request != Request::ReturnToMoment) end_like(status);
}

// Answers everything but the next reset, which is for the worker.
[[noreturn]] void play_episode(Channel& channel, Environment& environment, pid_t keeper) {
  be_killed_with_parent(keeper);
  sem_post(&channel.answered);
  for (;;) {
    wait_for(channel.asked);
    if (channel.request == Request::Reset) {
      sem_post(&channel.handed_back);
      _exit(0);
    }
    if (channel.request == Request::ReturnToMoment) _exit(kBack);
    if (channel.request == Request::KeepMoment) {
      keep_moment(channel);
      channel.reply = Reply::Done;
    } else {
      answer(channel, environment);
    }
    sem_post(&channel.answered);
  }
}

// Resets once; every time it is asked to, a fork plays an episode from there.
[[noreturn]] void keep(Channel& channel, Environment& environment, sem_t& play, pid_t worker) {
  be_killed_with_parent(worker);
  answer(channel, environment);
  if (channel.reply == Reply::Failed) {
    sem_post(&channel.answered);
    for (;;) pause();  // the process that asks will end the worker, and that this one
  }
  const std::vector<double> first(
      channel.observation.begin(),
      channel.observation.begin() + static_cast<std::ptrdiff_t>(environment.observations().size()));
  for (;;) {
    std::ranges::copy(first, channel.observation.begin());
    channel.reply = Reply::Done;
    const pid_t own = getpid();
    const pid_t player = fork();
    if (player == 0) play_episode(channel, environment, own);
    int status = 1 << 8;
    if (player > 0) waitpid(player, &status, 0);
    if (status != 0) end_like(status);
    wait_for(play);
  }
}

class SnapshotServer {
 public:
  SnapshotServer(Channel& channel, Environment& environment, int count)
      : channel_(channel), environment_(environment), count_(count) {}

  [[noreturn]] void serve() {
    for (;;) {
      wait_for(channel_.asked);
      while (channel_.request == Request::Reset) {
        reset();
        wait_for_the_end_of_an_episode();  // which is when the next reset is asked for
      }
      answer(channel_, environment_);
      sem_post(&channel_.answered);
    }
  }

 private:
  void reset() {
    const auto known = std::ranges::find(keepers_, channel_.seed, &Keeper::seed);
    if (known != keepers_.end()) {
      sem_post(&**known->play);
      keepers_.splice(keepers_.begin(), keepers_, known);
      return;
    }
    if (static_cast<int>(keepers_.size()) >= count_) forget_oldest();
    Keeper keeper{channel_.seed, 0, std::make_unique<SharedMemory<sem_t>>()};
    sem_init(&**keeper.play, 1, 0);
    const pid_t worker = getpid();
    keeper.pid = fork();
    if (keeper.pid == 0) keep(channel_, environment_, **keeper.play, worker);
    if (keeper.pid < 0) _exit(1);  // as if it had crashed: there may be room for a new one later
    keepers_.push_front(std::move(keeper));
  }

  void forget_oldest() {
    kill(keepers_.back().pid, SIGKILL);
    waitpid(keepers_.back().pid, nullptr, 0);
    keepers_.pop_back();
  }

  void wait_for_the_end_of_an_episode() {
    while (!wait_for(channel_.handed_back, kLookEvery)) {
      int status = 0;
      if (waitpid(-1, &status, WNOHANG) > 0) end_like(status);
    }
  }

  Channel& channel_;
  Environment& environment_;
  int count_;
  std::list<Keeper> keepers_;  // the latest used first
};

}  // namespace

void serve_snapshots(Channel& channel, Environment& environment, int count) {
  SnapshotServer(channel, environment, count).serve();
}

}  // namespace icct
