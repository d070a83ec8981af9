#pragma once

#include <sys/mman.h>

#include <new>

#include "icct/base/error.h"

namespace icct {

// A T that processes forked later share with this one. It is not destroyed, only unmapped.
template <class T>
class SharedMemory {
 public:
  // Throws Error without memory.
  SharedMemory() {
    void* memory =
        mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw Error("no memory to share with a simulator's process");
    value_ = new (memory) T;
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { munmap(value_, sizeof(T)); }

  T& operator*() const { return *value_; }
  T* operator->() const { return value_; }

 private:
  T* value_;
};

}  // namespace icct
