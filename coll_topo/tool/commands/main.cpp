// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/wording.hpp"
#include "coll_topo/tool/commands/command.hpp"

#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

using namespace coll_topo;
using namespace coll_topo::tool;

namespace {

constexpr const char* description = "Shows networks, and how coll_topo runs the collective operations of MPI on them.";

constexpr const char* footer =
    "COMMAND --help explains a command, coll-topo(1) all of them.\n"
    "Exit status: 0 all well; 1 the file is wrong, a proof failed, or what was asked for cannot be\n"
    "done; 2 the command line is not understood.";

std::vector<Command> all_commands() {
    std::vector<Command> commands = {check_command(), show_command(),   explain_command(), plan_command(),
                                     prove_command(), place_command(),  import_command(),  calibrate_command(),
                                     tune_command(),  advise_command(), doctor_command(),  accept_command()};
#if COLL_TOPO_WITH_SIMGRID
    commands.push_back(simulate_command());
#endif
    return commands;
}

/// What to say about a command that does not exist, or is missing: which there are. Else empty.
std::string wrong_command(const std::vector<Command>& commands, std::string_view word) {
    if (word.starts_with('-')) return {};
    std::vector<std::string_view> names;
    for (const Command& command : commands) {
        if (command.line.name == word) return {};
        names.push_back(command.line.name);
    }
    return (word.empty() ? "give a command" : "no command " + in_quotes(word)) + "; there are: " + alternatives(names);
}

int run(int argc, char** argv) {
    const std::vector<Command> commands = all_commands();
    const std::string wrong = wrong_command(commands, argc > 1 ? argv[1] : "");
    if (!wrong.empty()) {
        std::cerr << "coll-topo: " << wrong << "\n" << command_line::hint << "\n";
        return exit_usage;
    }
    command_line::Usage usage{"coll-topo", description, "coll-topo " PACKAGE_VERSION, footer};
    for (const Command& command : commands) usage.commands.push_back(command.line);
    const auto parsed = command_line::read(usage, argc, argv);
    if (!parsed) {
        std::cerr << parsed.error().message << "\n" << command_line::hint << "\n";
        return exit_usage;
    }
    if (!parsed->text.empty()) {
        std::cout << parsed->text;
        return exit_success;
    }
    const auto done = commands[parsed->command].run({std::cout, std::cerr});
    if (!done) {
        std::cerr << "coll-topo: " << done.error().text() << "\n";
        return exit_finding;
    }
    if (!std::cout.flush()) {
        std::cerr << "coll-topo: cannot write the output\n";
        return exit_finding;
    }
    return *done;
}

}  // namespace

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "coll-topo: " << error.what() << "\n";
        return exit_finding;
    }
}
