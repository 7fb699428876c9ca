// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/commands/measuring.hpp"
#include "coll_topo/tool/output/output_file.hpp"
#include "coll_topo/tool/output/program_output.hpp"
#include "coll_topo/tool/output/table.hpp"
#include "coll_topo/tool/output/units.hpp"
#include "coll_topo/tool/tune/calibration.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

namespace coll_topo::tool {

namespace {

struct CalibrateOptions {
    std::string file;
    std::string measured;
    std::string output;
    double most_spread = 2;
    double seconds = 40;
    std::vector<std::string> launcher;
};

/// Two ranks on each host, so that all is measured in one run.
std::vector<std::string> measuring_command(const CalibrateOptions& options) {
    std::vector<std::string> command = options.launcher;
    if (command.empty()) command = {"mpirun", "--map-by", "ppr:2:node"};
    command.push_back(program_beside("coll-topo-measure"));
    command.push_back(std::filesystem::absolute(options.file).string());
    command.insert(command.end(), {"--seconds", fmt::format("{}", options.seconds)});
    if (isatty(STDERR_FILENO) == 1) command.emplace_back("--progress");
    return command;
}

Expected<MeasuredCosts> measured_costs(const CalibrateOptions& options, const Console& console) {
    if (!options.measured.empty()) {
        const auto text = contents_of(options.measured);
        RETURN_IF_ERROR(text);
        return read_measured_json(*text, options.measured);
    }
    const std::vector<std::string> command = measuring_command(options);
    console.notes << fmt::format("note: running {}\n", fmt::join(command, " ")) << std::flush;
    const auto text = output_of(command);
    RETURN_IF_ERROR(text);
    return read_measured_json(*text, command.front());
}

Table comparison(const Calibration& calibration) {
    Table table({{"value", "value"},
                 {"before", "before"},
                 {"measured", "measured"},
                 {"quartiles", "quartiles"},
                 {"trials", "trials"},
                 {"written", "written"}});
    for (const CalibratedValue& value : calibration.values) {
        const auto text = [&](double number) {
            if (value.measured.trials == 0) return std::string("-");
            const std::string size = value.is_time ? duration_text(std::abs(number)) : bandwidth_text(std::abs(number));
            return (number < 0 ? "-" : "") + size;
        };
        const std::string quartiles = value.measured.trials == 0 ? "-"
                                                                 : text(value.measured.lower_quartile) + " .. " +
                                                                       text(value.measured.upper_quartile);
        table.add({value.name, value.before, text(value.measured.median), quartiles, value.measured.trials,
                   value.kept_for.empty() ? value.after() : "no: " + value.kept_for});
    }
    return table;
}

Expected<int> run(const CalibrateOptions& options, const Console& console) {
    const auto text = contents_of(options.file);
    RETURN_IF_ERROR(text);
    const auto before = read_topology_text(*text, options.file);
    RETURN_IF_ERROR(before);
    const auto statements = count_statements(*text, options.file);
    RETURN_IF_ERROR(statements);
    const auto costs = measured_costs(options, console);
    RETURN_IF_ERROR(costs);
    if (costs->network != before->fabric.summary()) {
        return failure("the measurements are of another network: " + costs->network, {options.file});
    }
    const Calibration calibration = calibrate(before->fabric, *statements, *costs, options.most_spread);
    const auto calibrated = edit_topology(*text, options.file, calibration.edits);
    RETURN_IF_ERROR(calibrated);
    // In another directory, files that it includes may not be found.
    const std::string name = options.output.empty() ? options.file : options.output;
    RETURN_IF_ERROR(read_topology_text(*calibrated, name));
    if (options.output.empty()) {
        console.out << *calibrated;
    } else {
        RETURN_IF_ERROR(write_file(options.output, *calibrated));
    }
    std::ostream& report = options.output.empty() ? console.notes : console.out;
    report << fmt::format("{}; {} hosts measured\n\n", costs->network, costs->hosts);
    comparison(calibration).write_text(report);
    return calibration.edits.empty() ? exit_finding : exit_success;
}

}  // namespace

Command calibrate_command() {
    const auto options = std::make_shared<CalibrateOptions>();
    return {
        {"calibrate",
         "Measures the cluster, and writes latencies, bandwidths and rates into a topology file.",
         {{"FILE", "", "the topology file, see coll-topo.conf(5)", &options->file, {.required = true}},
          {"LAUNCHER", "WORDS",
           "after --: the command that starts the measuring program; default: mpirun with two ranks on each host",
           &options->launcher},
          {"--measured", "JSON", "takes what coll-topo-measure has written, and does not measure", &options->measured},
          {"--output", "OUT", "writes the new file; default: standard output", &options->output},
          {"--most-spread",
           "FACTOR",
           "a value stays as it was if its quartiles differ by more than this factor; default: 2",
           &options->most_spread,
           {.limit = command_line::Between{1, 1000}}},
          {"--seconds",
           "S",
           "how long to measure, about; default: 40",
           &options->seconds,
           {.limit = command_line::Sign::positive}}},
         {"coll-topo calibrate cluster.conf --output calibrated.conf",
          "coll-topo calibrate cluster.conf --output new.conf -- mpirun -hostfile hosts -npernode 2"}},
        [options](const Console& console) { return run(*options, console); }};
}

}  // namespace coll_topo::tool
