#pragma once

#include <filesystem>
#include <string>

#include "icct/train/learner.h"

namespace icct {

// The whole state of a learner in one file, replaced in one step. `options` belongs to the state: a
// checkpoint continues no other run.
void save_checkpoint(const std::filesystem::path& path, const std::string& options,
                     Learner& learner);

// Throws Error saying what to do if the file is damaged, of another version or of other options;
// then the learner must not be used.
void load_checkpoint(const std::filesystem::path& path, const std::string& options,
                     Learner& learner);

}  // namespace icct
