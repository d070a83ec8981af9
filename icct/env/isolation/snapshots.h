#pragma once

#include "icct/env/environment.h"
#include "icct/env/isolation/channel.h"

namespace icct {

// The worker's side of a channel, as serve(), for environments whose reset takes long. Every reset
// happens in a forked process, which then stays as it is: the moment after the reset, kept. The
// episode is played by a fork of that process, so that the next reset with the same seed costs a
// fork instead of a warm-up, and begins in exactly the same state. The latest `count` seeds are
// kept. A moment in the middle of an episode is kept in the same way: the process that plays stays
// there, and a fork of it goes on, until it is to return. A crash in any of these processes ends
// this one in the same way.
[[noreturn]] void serve_snapshots(Channel& channel, Environment& environment, int count);

}  // namespace icct
