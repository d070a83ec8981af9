#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string_view>

namespace icct {

struct MujocoDeleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using MujocoModel = std::unique_ptr<mjModel, MujocoDeleter>;
using MujocoData = std::unique_ptr<mjData, MujocoDeleter>;

// Compiles a model written in MuJoCo's XML format. Throws Error with MuJoCo's complaint.
MujocoModel compile_mujoco_model(std::string_view xml);

// Room for the changing part of a simulation, at its initial state.
MujocoData make_mujoco_data(const mjModel& model);

}  // namespace icct
