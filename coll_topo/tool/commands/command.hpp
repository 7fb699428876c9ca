// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/command_line/command_line.hpp"

#include <functional>
#include <iosfwd>

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

/// A command of the program, with what it does once its options are read: gives the exit code, or an error for the user
/// (exit_finding).
struct Command {
    command_line::Subcommand line;
    std::function<Expected<int>(const Console&)> run;
};

Command accept_command();
Command check_command();
Command doctor_command();
Command show_command();
Command explain_command();
Command plan_command();
Command prove_command();
Command place_command();
Command import_command();
Command calibrate_command();
Command tune_command();
Command advise_command();
Command simulate_command();  ///< only if built with SimGrid

}  // namespace coll_topo::tool
