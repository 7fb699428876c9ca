// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/commands/accept_stages.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/tool/commands/measuring.hpp"
#include "coll_topo/tool/output/program_output.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

namespace coll_topo::tool {

namespace {

constexpr double least_seconds = 30;            // for a program to start everywhere
constexpr std::size_t longest_names = 100'000;  // that a command line can have

/// The last line that is the whole result of a program, of all that it and its launcher wrote.
std::string last_object(const std::string& text) {
    std::size_t end = text.size();
    while (end > 0) {
        const auto newline = text.rfind('\n', end - 1);
        const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
        const std::string line = text.substr(begin, end - begin);
        if (line.starts_with("{") && line.ends_with("}")) return line;
        if (newline == std::string::npos) break;
        end = newline;
    }
    return {};
}

}  // namespace

StageRunner::StageRunner(const AcceptOptions& options, const Fabric& fabric, const ReportFolder* folder,
                         const Console& console)
    : options_(options), fabric_(fabric), folder_(folder), console_(console) {
    // For the component, in all jobs; what the user has set goes before.
    setenv("OMPI_MCA_coll_topo_topology_file", std::filesystem::absolute(options.file).c_str(), 0);
}

std::vector<std::string> StageRunner::command(const std::string& program,
                                              const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = options_.launcher;
    if (words.empty()) words = {"mpirun", "--map-by", "ppr:1:node"};
    words.push_back(program_beside(program));
    words.insert(words.end(), arguments.begin(), arguments.end());
    if (isatty(STDERR_FILENO) == 1) words.emplace_back("--progress");
    return words;
}

Expected<std::string> StageRunner::output(const std::string& stage, const std::string& program,
                                          const std::vector<std::string>& arguments, double seconds,
                                          const Whole& whole) const {
    if (options_.resume && folder_ != nullptr) {
        if (const auto kept = folder_->kept(stage); kept && whole(*kept)) {
            console_.notes << "note: " << stage << " was measured before\n";
            return *kept;
        }
    }
    const std::vector<std::string> words = command(program, arguments);
    console_.notes << fmt::format("note: running {}\n", fmt::join(words, " ")) << std::flush;
    ASSIGN_OR_RETURN(const ProgramOutput output, watch_program(words, {seconds, 0, {}}));
    // A document may have one line, or many; of some programs each line is all that is known so far.
    const std::string text = whole(output.text) ? output.text : last_object(output.text);
    if (text.empty() && !output.end) return tl::unexpected<Error>(output.end.error());
    if (text.empty()) return failure(words.front() + " ended without results");
    if (!whole(text) && !output.end) console_.notes << "note: " << output.end.error().text() << "\n";
    if (folder_ != nullptr) RETURN_IF_ERROR(folder_->keep(stage, text));
    return text;
}

Expected<HostStage> StageRunner::hosts() const {
    const std::string file = std::filesystem::absolute(options_.file).string();
    ASSIGN_OR_RETURN(const std::string text,
                     output("hosts", "coll-topo-measure", {file, "--hosts"}, least_seconds + options_.seconds_of_round,
                            [](const std::string& text) { return read_host_facts(text, "").has_value(); }));
    return read_host_facts(text, "hosts");
}

Expected<ResultStage> StageRunner::results() const {
    const std::string file = std::filesystem::absolute(options_.file).string();
    ASSIGN_OR_RETURN(const std::string text, output("results", "coll-topo-measure", {file, "--results"},
                                                    options_.seconds_of_stage, [](const std::string& text) {
                                                        const auto read = read_results(text, "");
                                                        return read && read->complete;
                                                    }));
    return read_results(text, "results");
}

Expected<MeasuredCables> StageRunner::cables() const {
    if (!options_.measured.empty()) {
        ASSIGN_OR_RETURN(const std::string text, contents_of(options_.measured));
        return read_measured_cables(text, options_.measured, fabric_);
    }
    if (options_.resume && folder_ != nullptr) {
        if (const auto kept = folder_->kept("cables")) {
            ASSIGN_OR_RETURN(const MeasuredCables before,
                             read_measured_cables(*kept, folder_->name_of("cables"), fabric_));
            console_.notes << fmt::format("note: {} of {} rounds were measured before\n", before.rounds_done,
                                          before.rounds);
            return before.complete() ? before : measure_cables("cables", &before);
        }
    }
    return measure_cables("cables", nullptr);
}

Expected<MeasuredCables> StageRunner::cables_again(int time) const {
    return measure_cables(fmt::format("cables-{}", time), nullptr);
}

/// The host of each rank, as processes without MPI say, since ranks that cannot reach each other could not exchange
/// that. Empty if they do not say it; ranks then try.
std::string StageRunner::rank_hosts() const {
    std::vector<std::string> words = options_.launcher;
    if (words.empty()) words = {"mpirun", "--map-by", "ppr:1:node"};
    words.insert(words.end(),
                 {"sh", "-c", "echo coll_topo ${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-$SLURM_PROCID}} $(hostname)"});
    const auto output = watch_program(words, {least_seconds, 0, {}});
    if (!output || !output->end) return {};
    std::map<int, std::string> hosts;
    std::istringstream lines(output->text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream parts(line);
        std::string mark, host;
        int rank = -1;
        if (parts >> mark >> rank >> host && mark == "coll_topo") hosts[rank] = host;
    }
    std::string names;
    for (const auto& [rank, host] : hosts) names += (names.empty() ? "" : ",") + host;
    const bool all =
        !hosts.empty() && hosts.begin()->first == 0 && hosts.rbegin()->first + 1 == static_cast<int>(hosts.size());
    return all && names.size() < longest_names ? names : "";
}

/// Hosts that no order reached although they run: what they have to do with was tried, and has no result.
Expected<MeasuredCables> StageRunner::measure_cables(const std::string& stage, const MeasuredCables* before) const {
    std::set<int> waiting;
    ASSIGN_OR_RETURN(MeasuredCables measured, run_cables(stage, before, "", waiting));
    const std::size_t silent = measured.measured.silent.size();
    if (!waiting.empty() && silent > 1 && silent + 1 == measured.hosts.size() && !EndRequests::came()) {
        // The host that gave orders reaches nobody: another may.
        ASSIGN_OR_RETURN(measured,
                         run_cables(stage, before, std::string(fabric_.hosts.name(*waiting.begin())), waiting));
    }
    std::erase_if(measured.measured.silent, [&](int host) { return waiting.contains(host); });
    if (folder_ != nullptr) RETURN_IF_ERROR(folder_->keep(stage, measured_cables_json(measured, fabric_)));
    return measured;
}

/// Where a host did not answer, the job was ended by force, but has written what it measured. Every round is kept as it
/// ends, so that nothing is lost if the job ends. Fills `waiting` with hosts that do not answer, but say that they
/// wait.
Expected<MeasuredCables> StageRunner::run_cables(const std::string& stage, const MeasuredCables* before,
                                                 const std::string& leader, std::set<int>& waiting) const {
    const int first_round = before == nullptr ? 0 : before->rounds_done;
    std::vector<std::string> arguments = {std::filesystem::absolute(options_.file).string(),
                                          "--cables",
                                          "--each-round",
                                          "--round-limit",
                                          fmt::format("{}", options_.seconds_of_round),
                                          "--first-round",
                                          std::to_string(first_round)};
    if (const std::string names = rank_hosts(); !names.empty())
        arguments.insert(arguments.end(), {"--rank-hosts", names});
    if (!leader.empty()) arguments.insert(arguments.end(), {"--leader", leader});
    const std::vector<std::string> words = command("coll-topo-measure", arguments);
    console_.notes << fmt::format("note: running {}\n", fmt::join(words, " ")) << std::flush;
    std::optional<MeasuredCables> measured;
    Expected<void> kept = {};
    waiting.clear();
    const auto read = [&](const std::string& line) {
        if (const int host = waiting_host(line, fabric_); host >= 0) {
            const auto silent = measured ? measured->measured.silent : std::vector<int>();
            if (std::find(silent.begin(), silent.end(), host) != silent.end()) waiting.insert(host);
            return;
        }
        auto cables = read_measured_cables(line, words.front(), fabric_);
        if (cables && before != nullptr) cables = joined(*before, *cables, fabric_);
        if (!cables) return;
        measured = std::move(*cables);
        if (folder_ != nullptr) kept = folder_->keep(stage, measured_cables_json(*measured, fabric_));
    };
    const double seconds = least_seconds + options_.seconds_of_stage;
    ASSIGN_OR_RETURN(const ProgramOutput output,
                     watch_program(words, {seconds, least_seconds + 6 * options_.seconds_of_round, read}));
    RETURN_IF_ERROR(kept);
    if (measured && (measured->complete() || EndRequests::came())) return std::move(*measured);
    if (!output.end && !measured) return tl::unexpected<Error>(output.end.error());
    if (measured && !output.end) {
        return failure(fmt::format("{}; {} of {} rounds were measured{}", output.end.error().text(),
                                   measured->rounds_done, measured->rounds,
                                   folder_ == nullptr ? "" : ", --resume goes on"));
    }
    return failure(words.front() + " ended without results");
}

}  // namespace coll_topo::tool
