#include "icct/env/mujoco/simulation.h"

#include <algorithm>
#include <array>

#include "icct/base/error.h"

namespace icct {
namespace {

struct VirtualFilesDeleter {
  void operator()(mjVFS* files) const {
    mj_deleteVFS(files);
    delete files;
  }
};

}  // namespace

MujocoModel compile_mujoco_model(std::string_view xml) {
  // MuJoCo reads models from files only; its virtual ones live in memory.
  constexpr const char* file = "model.xml";
  const std::unique_ptr<mjVFS, VirtualFilesDeleter> files(new mjVFS);
  mj_defaultVFS(files.get());
  if (mj_makeEmptyFileVFS(files.get(), file, static_cast<int>(xml.size())) != 0) {
    throw Error("MuJoCo cannot keep a model of " + std::to_string(xml.size()) + " bytes in memory");
  }
  std::copy(xml.begin(), xml.end(), static_cast<char*>(files->filedata[0]));

  std::array<char, 1000> complaint{};
  MujocoModel model(
      mj_loadXML(file, files.get(), complaint.data(), static_cast<int>(complaint.size())));
  if (model == nullptr) {
    throw Error("MuJoCo refuses the model: " + std::string(complaint.data()));
  }
  return model;
}

MujocoData make_mujoco_data(const mjModel& model) {
  MujocoData data(mj_makeData(&model));
  if (data == nullptr) throw Error("MuJoCo has no memory for the simulation");
  return data;
}

}  // namespace icct
