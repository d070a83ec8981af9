#include "icct/env/isolation/worker_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/env/isolation/process.h"
#include "icct/env/isolation/serve.h"

namespace icct {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kLastWords = 1000;  // bytes of a worker's output that a complaint quotes

// All that happens in the worker.
[[noreturn]] void work(Channel& channel, int output, pid_t parent,
                       const WorkerProcess::Factory& make_environment, int snapshots) {
  signal(SIGINT, SIG_IGN);  // Ctrl-C is for the process that asks
  signal(SIGTERM, SIG_DFL);
  if (output >= 0) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
  }
  become_group();
  end_with_parent(parent);
  serve(channel, make_environment, snapshots);
}

std::string describe_end(const siginfo_t& end) {
  const int status = end.si_status;
  if (end.si_code == CLD_EXITED) return "ended by itself with code " + std::to_string(status);
  return "was killed by signal " + std::to_string(status) + " (" + strsignal(status) + ")";
}

}  // namespace

WorkerProcess::WorkerProcess(const Factory& make_environment, int snapshots)
    : output_(memfd_create("icct-worker", MFD_CLOEXEC)) {
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) work(*channel_, output_, parent, make_environment, snapshots);
  if (pid_ < 0) {
    if (output_ >= 0) close(output_);
    throw Error(std::string("no process for a simulator: ") + std::strerror(errno));
  }
  become_group(pid_);
}

WorkerProcess::~WorkerProcess() {
  kill(-pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  if (output_ >= 0) close(output_);
}

void WorkerProcess::ask(Request request) {
  channel_->request = request;
  sem_post(&channel_->asked);
}

std::string WorkerProcess::wait(double seconds) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (wait_for(channel_->answered, kLookEvery)) {
      if (channel_->reply == Reply::Done) return {};
      report_ = channel_->read_text();
      return "reported: " + report_ + last_words();
    }
    if (std::string end = look_after_worker(); !end.empty()) return end + last_words();
    if (Clock::now() >= deadline) {
      return "did not answer for " + rounded_text(seconds, 6) + " s";
    }
  }
}

// Leaves it unburied, so that nothing else gets its number, which is also that of its group.
std::string WorkerProcess::look_after_worker() const {
  siginfo_t end{};
  waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT);
  return end.si_pid == pid_ ? describe_end(end) : "";
}

std::string WorkerProcess::last_words() const {
  const off_t size = output_ < 0 ? 0 : lseek(output_, 0, SEEK_END);
  if (size <= 0) return {};
  const auto length = std::min(static_cast<std::size_t>(size), kLastWords);
  std::string words(length, '\0');
  const ssize_t read = pread(output_, words.data(), length, size - static_cast<off_t>(length));
  if (read <= 0) return {};
  words.resize(static_cast<std::size_t>(read));
  return "; its last words: " + words;
}

}  // namespace icct
