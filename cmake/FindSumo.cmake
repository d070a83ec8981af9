# Defines Sumo::Sumo, the simulator as a library within the process.
find_path(Sumo_INCLUDE_DIR libsumo/libsumo.h)
find_library(Sumo_LIBRARY sumocpp)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Sumo REQUIRED_VARS Sumo_LIBRARY Sumo_INCLUDE_DIR)
if(Sumo_FOUND AND NOT TARGET Sumo::Sumo)
  add_library(Sumo::Sumo UNKNOWN IMPORTED)
  set_target_properties(Sumo::Sumo PROPERTIES
    IMPORTED_LOCATION ${Sumo_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Sumo_INCLUDE_DIR})
endif()
