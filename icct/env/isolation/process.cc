#include "icct/env/isolation/process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace icct {

void become_group(pid_t process) {
  setpgid(process, process);
}

void end_with_parent(pid_t parent) {
  std::thread([parent] {
    while (getppid() == parent) std::this_thread::sleep_for(kLookEvery);
    _exit(0);
  }).detach();
}

void be_killed_with_parent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // it was gone before it could be asked for
}

void end_like(int status) {
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    kill(getpid(), WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

void wait_for(sem_t& semaphore) {
  while (sem_wait(&semaphore) != 0 && errno == EINTR) {
  }
}

bool wait_for(sem_t& semaphore, std::chrono::milliseconds patience) {
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  const auto nanoseconds = std::chrono::nanoseconds(patience).count() + until.tv_nsec;
  until.tv_sec += static_cast<time_t>(nanoseconds / 1'000'000'000);
  until.tv_nsec = nanoseconds % 1'000'000'000;
  return sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until) == 0;
}

}  // namespace icct
