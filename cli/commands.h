#pragma once

#include <CLI/CLI.hpp>

namespace icct {

// Each adds one verb to the program. A verb parses, calls the library and prints: results on
// standard output, progress and complaints on standard error. It throws Error when it cannot
// answer, and sets `exit_code` to 1 when the answer is "no",
// to 3 when there is none.
void add_act_command(CLI::App& program, int& exit_code);
void add_check_env_command(CLI::App& program, int& exit_code);
void add_diff_command(CLI::App& program, int& exit_code);
void add_distill_command(CLI::App& program, int& exit_code);
void add_edit_command(CLI::App& program, int& exit_code);
void add_eval_command(CLI::App& program, int& exit_code);
void add_explain_command(CLI::App& program, int& exit_code);
void add_export_command(CLI::App& program, int& exit_code);
void add_info_command(CLI::App& program, int& exit_code);
void add_range_command(CLI::App& program, int& exit_code);
void add_refine_command(CLI::App& program, int& exit_code);
void add_robustness_command(CLI::App& program, int& exit_code);
void add_show_command(CLI::App& program, int& exit_code);
void add_simplify_command(CLI::App& program, int& exit_code);
void add_slice_command(CLI::App& program, int& exit_code);
void add_train_command(CLI::App& program, int& exit_code);
void add_verify_command(CLI::App& program, int& exit_code);

// Writes a result to standard output; throws Error if that fails (a full disk, a closed pipe).
void print(const std::string& text);

}  // namespace icct
