// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <functional>
#include <ostream>

namespace CLI {
class App;
}

namespace coll_topo::tool {

/// Exit codes of the program.
inline constexpr int exit_success = 0;
inline constexpr int exit_finding = 1;  ///< the file is wrong, a proof failed, or what was asked for cannot be done
inline constexpr int exit_usage = 2;    ///< the command line is not understood

/// Where a command writes its result, and what else the user should know.
struct Console {
    std::ostream& out;
    std::ostream& notes;
};

/// What a command does once the command line is read: gives the exit code, or an error for the user (exit_finding).
using Action = std::function<Expected<int>(const Console&)>;

/// Each adds a command to the program, which sets `chosen` if the user asks for it.
void add_check_command(CLI::App& program, Action& chosen);
void add_show_command(CLI::App& program, Action& chosen);
void add_explain_command(CLI::App& program, Action& chosen);
void add_plan_command(CLI::App& program, Action& chosen);
void add_prove_command(CLI::App& program, Action& chosen);
void add_place_command(CLI::App& program, Action& chosen);
void add_calibrate_command(CLI::App& program, Action& chosen);
void add_tune_command(CLI::App& program, Action& chosen);
void add_simulate_command(CLI::App& program, Action& chosen);  ///< only if built with SimGrid

}  // namespace coll_topo::tool
