#pragma once

namespace icct {

// From here on Ctrl-C (or SIGTERM) asks to stop; a second one ends the process at once.
void watch_for_stop();

bool stop_requested();

}  // namespace icct
