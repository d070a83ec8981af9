#include "icct/run/checkpoint.h"

#include <cstdint>
#include <cstring>

#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/run/event_file.h"

namespace icct {
namespace {

constexpr std::string_view kMagic = "icct checkpoint 1\n";
constexpr std::size_t kMaxBytes = std::size_t{1} << 36;
constexpr const char* kAdvice =
    "; delete this checkpoint to start the run over, policy.json holds the best policy so far";

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& complaint) {
  throw Error(path.string() + ": " + complaint + kAdvice);
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const std::string& options,
                     Learner& learner) {
  StateArchive archive;
  std::string text = options;
  archive.text("options", text);
  learner.visit_state(archive);
  const std::string state = archive.take_bytes();
  const std::uint32_t sum = crc32c(state);
  std::string content(kMagic);
  content.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  content += state;
  write_file_atomically(path, content);
}

void load_checkpoint(const std::filesystem::path& path, const std::string& options,
                     Learner& learner) {
  const std::string content = read_file(path, kMaxBytes);
  std::string_view rest = content;
  if (!rest.starts_with(kMagic)) fail(path, "not a checkpoint of this version");
  rest.remove_prefix(kMagic.size());
  std::uint32_t sum = 0;
  if (rest.size() < sizeof sum) fail(path, "the checkpoint is cut off");
  std::memcpy(&sum, rest.data(), sizeof sum);
  rest.remove_prefix(sizeof sum);
  if (crc32c(rest) != sum) fail(path, "the checkpoint is damaged (its checksum differs)");
  try {
    StateArchive archive(rest);
    std::string text;
    archive.text("options", text);
    if (text != options) throw Error("it belongs to a run with other options");
    learner.visit_state(archive);
    archive.finish();
  } catch (const Error& problem) {
    fail(path, problem.what());
  }
}

}  // namespace icct
