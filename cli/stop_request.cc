#include "cli/stop_request.h"

#include <atomic>
#include <csignal>

namespace icct {
namespace {

std::atomic<bool> requested = false;

void request_stop(int signal) {
  requested = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_for_stop() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

bool stop_requested() {
  return requested;
}

}  // namespace icct
