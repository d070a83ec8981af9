#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "icct/env/environment.h"
#include "icct/env/isolation/channel.h"
#include "icct/env/isolation/shared_memory.h"

namespace icct {

// A forked process that runs one environment and answers requests about it. It ends with this
// object, and so do all processes that it made; by itself it ends when the process that made it is
// gone.
class WorkerProcess {
 public:
  using Factory = std::function<std::unique_ptr<Environment>()>;

  // `make_environment` runs in the worker, as all of the environment does. `snapshots`: see serve.
  // Throws Error if there can be no new process.
  WorkerProcess(const Factory& make_environment, int snapshots);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();

  pid_t pid() const { return pid_; }
  Channel& channel() { return *channel_; }

  void ask(Request request);

  // Waits for the answer for so many seconds. Empty if it came; else what happened to the worker,
  // and no further request may be made.
  std::string wait(double seconds);

  // What the environment itself said was wrong; empty if it did not, as in a crash.
  const std::string& report() const { return report_; }

  // "; its last words: ..." with what it printed last, if anything.
  std::string last_words() const;

 private:
  std::string look_after_worker() const;  // what became of it, or nothing while it runs

  SharedMemory<Channel> channel_;
  int output_ = -1;  // a file in memory that takes all that the worker prints
  pid_t pid_ = -1;
  std::string report_;
};

}  // namespace icct
