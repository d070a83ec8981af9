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
// object, and by itself when the process that made it is gone.
class WorkerProcess {
 public:
  using Factory = std::function<std::unique_ptr<Environment>()>;

  // `make_environment` runs in the worker, as all of the environment does. `snapshots`: see serve.
  // Throws Error if there can be no new process.
  WorkerProcess(const Factory& make_environment, double watchdog_seconds, int snapshots);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();

  pid_t pid() const { return pid_; }
  Channel& channel() { return *channel_; }

  void ask(Request request);

  // Waits for the answer, as long as the watchdog lets it. Empty if it came; else what happened to
  // the worker, and no further request may be made.
  std::string wait();

 private:
  std::string look_after_worker();  // what became of it, or nothing while it runs
  std::string last_words() const;   // what it printed last

  double watchdog_seconds_;
  SharedMemory<Channel> channel_;
  int output_ = -1;  // a file in memory that takes all that the worker prints
  pid_t pid_ = -1;
  bool gone_ = false;
};

}  // namespace icct
