#include "icct/env/isolation/channel.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "icct/base/error.h"

namespace icct {

void Channel::write_text(std::string_view content) {
  text_size = std::min(content.size(), text.size());
  std::copy_n(content.begin(), text_size, text.begin());
}

SharedChannel::SharedChannel() {
  void* memory =
      mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw Error("no memory to share with a simulator's process");
  channel_ = new (memory) Channel;
  sem_init(&channel_->asked, 1, 0);
  sem_init(&channel_->answered, 1, 0);
}

SharedChannel::~SharedChannel() {
  munmap(channel_, sizeof(Channel));
}

}  // namespace icct
