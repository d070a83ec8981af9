#include "icct/env/isolation/channel.h"

#include <algorithm>

namespace icct {

Channel::Channel() {
  for (sem_t* semaphore : {&asked, &answered, &handed_back}) sem_init(semaphore, 1, 0);
}

void Channel::write_text(std::string_view content) {
  text_size = std::min(content.size(), text.size());
  std::copy_n(content.begin(), text_size, text.begin());
}

}  // namespace icct
