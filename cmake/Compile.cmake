# How everything here is compiled, and `icct_library`, one target per folder.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
find_package(Threads REQUIRED)

add_library(icct_compile INTERFACE)
target_compile_options(icct_compile INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
  -march=${ICCT_ARCHITECTURE}
  # The deployed function must be the same in every translation unit and in exported code: no silent fused
  # multiply-add. The learning kernels allow it file by file (icct_fast_kernels).
  -ffp-contract=off -fopenmp-simd)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns falsely about char* + std::string (its bug 105651).
  target_compile_options(icct_compile INTERFACE -Wno-restrict)
else()
  # Clang reports every simd loop that sanitizers keep it from vectorising.
  target_compile_options(icct_compile INTERFACE -Wno-pass-failed)
endif()
if(ICCT_SANITIZERS)
  target_compile_options(icct_compile INTERFACE
    -fsanitize=${ICCT_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(icct_compile INTERFACE -fsanitize=${ICCT_SANITIZERS})
endif()
# Fuzz targets are built with the address sanitizer, by clang; they need coverage of everything they call.
set(ICCT_FUZZING OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND ICCT_SANITIZERS MATCHES "address")
  set(ICCT_FUZZING ON)
  target_compile_options(icct_compile INTERFACE -fsanitize=fuzzer-no-link)
endif()

# icct_library(<folder> SOURCES <files> [USES <folders or targets>]): target icct_<folder>, alias icct::<folder>.
function(icct_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_library(icct_${folder} STATIC ${ARG_SOURCES})
  add_library(icct::${folder} ALIAS icct_${folder})
  target_include_directories(icct_${folder} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(icct_${folder} PUBLIC ${ARG_USES} PRIVATE $<BUILD_INTERFACE:icct_compile>)
  set_target_properties(icct_${folder} PROPERTIES EXPORT_NAME ${folder})
  target_compile_features(icct_${folder} PUBLIC cxx_std_20)
  install(TARGETS icct_${folder} EXPORT icct-targets)
endfunction()

# Float kernels: reductions may be vectorised and multiply-adds fused; still the same bytes on the same machine.
function(icct_fast_kernels)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-O3;-ffp-contract=fast;-fno-math-errno;-fno-trapping-math")
endfunction()
