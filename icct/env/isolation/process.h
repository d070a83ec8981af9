#pragma once

#include <semaphore.h>
#include <sys/types.h>

#include <chrono>

namespace icct {

// How often processes look whether another one is still there.
inline constexpr auto kLookEvery = std::chrono::milliseconds(50);

// Makes a process, usually this one, the first of a group: it and all that it forks can be killed
// together, also those that are stopped. Both sides of a fork do it, as either may be the first.
void become_group(pid_t process = 0);

// Ends this process when `parent` is gone. (The kernel's own signal for that is sent when the
// thread that forked ends, which may be long before.)
void end_with_parent(pid_t parent);

// The same by that signal, which also ends a process that is stopped: for one that was forked by
// the main thread of `parent`.
void be_killed_with_parent(pid_t parent);

// Ends this process as another did, whose status `waitpid` gave.
[[noreturn]] void end_like(int status);

void wait_for(sem_t& semaphore);

// Whether it came within the time.
bool wait_for(sem_t& semaphore, std::chrono::milliseconds patience);

}  // namespace icct
