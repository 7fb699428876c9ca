// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/wording.hpp"
#include "coll_topo/tool/commands/command.hpp"

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

using namespace coll_topo;
using namespace coll_topo::tool;

namespace {

constexpr const char* description = "Looks at networks, and at how coll_topo runs collective operations on them.";

constexpr const char* examples =
    "Examples:\n"
    "  coll-topo check cluster.conf\n"
    "  coll-topo show cluster.conf --svg cluster.svg\n"
    "  coll-topo explain cluster.conf --collective allreduce --bytes 1MiB\n"
    "  coll-topo plan cluster.conf --collective allreduce --bytes 1MiB --rank 0\n"
    "  coll-topo prove cluster.conf\n"
    "  coll-topo place cluster.conf --ranks 64 --hostfile job.hosts\n"
    "  coll-topo calibrate cluster.conf --output calibrated.conf\n"
    "  coll-topo tune results.json --output rules.conf\n"
    "\n"
    "Exit status: 0 all well; 1 the file is wrong, a proof failed, or what was asked for\n"
    "cannot be done; 2 the command line is not understood. See coll-topo(1).";

/// What to say about a command that does not exist, where CLI11 would only say that one is missing; else empty.
std::string wrong_command(const CLI::App& program, std::string_view word) {
    std::vector<std::string> names;
    for (const CLI::App* const command : program.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_name() == word) return {};
        names.push_back(command->get_name());
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    return "no command " + in_quotes(word) + "; there are: " + alternatives(known);
}

int run(int argc, char** argv) {
    CLI::App program(description, "coll-topo");
    program.set_version_flag("--version", "coll-topo " PACKAGE_VERSION);
    program.set_help_flag("-h,--help", "print this help");
    program.require_subcommand(1);
    program.footer(examples);

    Action chosen;
    add_check_command(program, chosen);
    add_show_command(program, chosen);
    add_explain_command(program, chosen);
    add_plan_command(program, chosen);
    add_prove_command(program, chosen);
    add_place_command(program, chosen);
    add_calibrate_command(program, chosen);
    add_tune_command(program, chosen);
#if COLL_TOPO_WITH_SIMGRID
    add_simulate_command(program, chosen);
#endif
    const std::string wrong = argc > 1 && argv[1][0] != '-' ? wrong_command(program, argv[1]) : "";
    if (!wrong.empty()) {
        std::cerr << "coll-topo: " << wrong << "\n";
        return exit_usage;
    }
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return program.exit(error) == 0 ? exit_success : exit_usage;
    }

    const auto done = chosen({std::cout, std::cerr});
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
