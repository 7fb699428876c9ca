// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/cable_plan.hpp"
#include "coll_topo/acceptance/verdict.hpp"
#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/accept/effort_table.hpp"
#include "coll_topo/tool/accept/measured_cables.hpp"
#include "coll_topo/tool/accept/verdict_report.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/commands/measuring.hpp"
#include "coll_topo/tool/output/format_option.hpp"
#include "coll_topo/tool/output/program_output.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <filesystem>
#include <memory>
#include <numeric>

namespace coll_topo::tool {

namespace {

constexpr int most_hosts = 1 << 17;

struct AcceptOptions {
    std::string file;
    bool dry_run = false;
    std::string measured;
    double least_share = acceptance::least_share;
    double seconds_of_round = 10;
    Format format = Format::text;
    std::vector<std::string> launcher;
};

/// Exit code where nothing can be said of the cluster.
constexpr int exit_not_run = 2;

void write_text(const Fabric& fabric, const LinkGraph& graph, const acceptance::CablePlan& plan,
                const CableEffort& effort, std::ostream& out) {
    const auto directions = [](std::size_t count) {
        return counted(static_cast<long long>(count), "direction", "directions");
    };
    const std::size_t tested = graph.links().size() - plan.untested.size();
    out << fabric.summary() << "\n"
        << fmt::format("{} of {} cables, {} tested\n\n", directions(graph.links().size()), graph.links().size() / 2,
                       tested == graph.links().size() ? "all" : std::to_string(tested));
    effort.rounds.write_text(out);
    out << "\nexpected time: "
        << (effort.seconds ? duration_text(*effort.seconds) : "not known: the file has no bandwidth") << "\n";
    if (!plan.untested.empty()) {
        out << wrapped("Not tested, since no message between two hosts was found that takes them: " +
                           link_list(graph, plan.untested),
                       0);
    }
    if (!plan.not_filled.empty()) {
        out << wrapped("Faster than what hosts can send through them: " + link_list(graph, plan.not_filled), 0);
    }
}

void write_data(const AcceptOptions& options, const Fabric& fabric, const LinkGraph& graph,
                const acceptance::CablePlan& plan, const CableEffort& effort, std::ostream& out) {
    if (options.format == Format::csv) return effort.rounds.write_csv(out);
    JsonWriter json(out);
    json.member("network", fabric.summary());
    json.member("links", static_cast<std::int64_t>(graph.links().size()));
    json.member("links_not_tested", static_cast<std::int64_t>(plan.untested.size()));
    json.member("links_not_filled", static_cast<std::int64_t>(plan.not_filled.size()));
    json.member("seconds", effort.seconds ? JsonValue(*effort.seconds) : JsonValue());
    effort.rounds.write_json(json, "rounds");
}

Expected<int> show_effort(const AcceptOptions& options, const Fabric& fabric, const Console& console) {
    LinkGraph graph(fabric);
    std::vector<int> hosts(static_cast<std::size_t>(fabric.hosts.size()));
    std::iota(hosts.begin(), hosts.end(), 0);
    const acceptance::CablePlan plan = acceptance::make_cable_plan(fabric, graph, hosts);
    const CableEffort effort = cable_effort(plan, fabric, graph);
    if (options.format == Format::text) {
        write_text(fabric, graph, plan, effort, console.out);
    } else {
        write_data(options, fabric, graph, plan, effort, console.out);
    }
    return exit_success;
}

/// A rank on each host: more would only wait.
std::vector<std::string> measuring_command(const AcceptOptions& options) {
    std::vector<std::string> command = options.launcher;
    if (command.empty()) command = {"mpirun", "--map-by", "ppr:1:node"};
    command.insert(command.end(), {measuring_program(), std::filesystem::absolute(options.file).string(), "--cables",
                                   "--round-limit", fmt::format("{}", options.seconds_of_round)});
    if (isatty(STDERR_FILENO) == 1) command.emplace_back("--progress");
    return command;
}

/// Where a host did not answer, the job was ended by force, but has written what it measured.
Expected<MeasuredCables> measured_cables(const AcceptOptions& options, const Fabric& fabric, const Console& console) {
    if (!options.measured.empty()) {
        ASSIGN_OR_RETURN(const std::string text, contents_of(options.measured));
        return read_measured_cables(text, options.measured, fabric);
    }
    const std::vector<std::string> command = measuring_command(options);
    console.notes << fmt::format("note: running {}\n", fmt::join(command, " ")) << std::flush;
    ASSIGN_OR_RETURN(const ProgramOutput output, output_and_end_of(command));
    auto cables = read_measured_cables(output.text, command.front(), fabric);
    if (!output.end && (!cables || cables->measured.silent.empty())) {
        return tl::unexpected<Error>(output.end.error());
    }
    return cables;
}

Expected<int> test_cables(const AcceptOptions& options, const Fabric& fabric, const Console& console) {
    ASSIGN_OR_RETURN(const MeasuredCables cables, measured_cables(options, fabric, console));
    LinkGraph graph(fabric);
    ASSIGN_OR_RETURN(const acceptance::CablePlan plan, measured_plan(cables, fabric, graph));
    const acceptance::CableVerdict verdict =
        acceptance::judge_cables(plan, fabric, graph, cables.measured, options.least_share);
    const CableReport report{fabric, graph, plan, cables, verdict};
    if (options.format == Format::json) {
        write_verdict_json(report, console.out);
    } else {
        write_verdict_text(report, console.out);
    }
    return verdict.accepted ? exit_success : exit_finding;
}

Expected<int> accept(const AcceptOptions& options, const Console& console) {
    if (options.format == Format::csv && !options.dry_run) return failure("--format csv is for --dry-run");
    const auto file = read_topology_file(options.file);
    RETURN_IF_ERROR(file);
    for (const Error& note : file->notes) console.notes << "note: " << note.text() << "\n";
    if (file->fabric.hosts.size() > most_hosts) {
        return failure(fmt::format("the network has {} hosts; the cables of {} at most can be tested",
                                   file->fabric.hosts.size(), most_hosts),
                       {options.file});
    }
    return options.dry_run ? show_effort(options, file->fabric, console) : test_cables(options, file->fabric, console);
}

/// A cluster of which nothing is known is neither accepted nor refused.
int accept_or_say_why_not(const AcceptOptions& options, const Console& console) {
    const auto status = accept(options, console);
    if (status) return *status;
    console.notes << "coll-topo: " << status.error().text() << "\n";
    return exit_not_run;
}

}  // namespace

Command accept_command() {
    const auto options = std::make_shared<AcceptOptions>();
    return {{"accept",
             "Tests every cable of a cluster, and says whether it is wired as the file says.",
             {{"FILE", "", "the topology file, see coll-topo.conf(5)", &options->file, {.required = true}},
              {"LAUNCHER", "WORDS",
               "after --: the command that starts the measuring program; default: mpirun with a rank on each host",
               &options->launcher},
              {"--dry-run", "", "tests nothing, only says in how many rounds, and how long it would take",
               &options->dry_run},
              {"--measured", "JSON", "judges what coll-topo-measure --cables has written", &options->measured},
              {"--least-share",
               "SHARE",
               "a cable is at fault below this share of its bandwidth; default: 0.8",
               &options->least_share,
               {.limit = command_line::Between{0.05, 0.99}}},
              {"--round-limit",
               "S",
               "seconds after which a round ends, and a host that has not answered is left out; default: 10",
               &options->seconds_of_round,
               {.limit = command_line::Sign::positive}},
              format_option(options->format)},
             {"coll-topo accept cluster.conf --dry-run",
              "coll-topo accept cluster.conf -- mpirun -hostfile hosts -npernode 1"}},
            [options](const Console& console) -> Expected<int> { return accept_or_say_why_not(*options, console); }};
}

}  // namespace coll_topo::tool
