#include "icct/env/isolation/channel.h"

#include <algorithm>
#include <string>

#include "icct/base/error.h"

namespace icct {

Channel::Channel() {
  for (sem_t* semaphore : {&asked, &answered, &handed_back}) sem_init(semaphore, 1, 0);
}

void Channel::write_text(std::string_view content) {
  if (content.size() > text.size())
    throw Error("an answer of " + std::to_string(content.size()) +
                " bytes is too long for its channel");
  text_size = content.size();
  std::copy_n(content.begin(), text_size, text.begin());
}

}  // namespace icct
