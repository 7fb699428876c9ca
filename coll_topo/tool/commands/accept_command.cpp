// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/import/topology_text.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/accept/judged_cables.hpp"
#include "coll_topo/tool/accept/report_text.hpp"
#include "coll_topo/tool/commands/accept_stages.hpp"
#include "coll_topo/tool/commands/measuring.hpp"
#include "coll_topo/tool/commands/speed_measurement.hpp"
#include "coll_topo/tool/output/program_output.hpp"

#include <fmt/format.h>
#include <ctime>
#include <memory>

namespace coll_topo::tool {

namespace {

constexpr int most_hosts = 1 << 17;
constexpr int exit_not_run = 2;  // the cluster is neither accepted nor refused

std::string date_text() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &parts));
    return text;
}

/// A run of coll-topo accept.
class AcceptRun {
public:
    AcceptRun(const AcceptOptions& options, TopologyFile file, const Console& console)
        : options_(options),
          console_(console),
          file_(std::move(file)),
          acceptance_{file_.fabric, options.file, options.command_text(), date_text(), PACKAGE_VERSION, {}} {}

    Expected<int> run() {
        RETURN_IF_ERROR(read_limits_and_baseline());
        if (!options_.output.empty()) {
            ASSIGN_OR_RETURN(auto folder, ReportFolder::make(options_.output));
            folder_ = std::make_unique<ReportFolder>(std::move(folder));
            if (!options_.resume) folder_->forget_all();
        }
        const EndRequests requests;
        run_stages();
        if (EndRequests::came()) {
            acceptance_.interrupted =
                "it was ended by the signal \"" + EndRequests::name() + "\"" + (folder_ ? "; --resume goes on" : "");
        }
        return report();
    }

private:
    Expected<void> read_limits_and_baseline() {
        AcceptanceLimits& limits = acceptance_.limits;
        if (!options_.conditions_file.empty()) {
            ASSIGN_OR_RETURN(const std::string text, contents_of(options_.conditions_file));
            RETURN_IF_ERROR(read_limits(text, options_.conditions_file, limits));
        }
        for (const std::string& condition : options_.conditions) {
            RETURN_IF_ERROR(set_limit(condition, {"--condition"}, limits));
        }
        if (options_.least_share > 0) limits.least_share = options_.least_share;
        if (!options_.baseline.empty()) {
            ASSIGN_OR_RETURN(const std::string text, contents_of(options_.baseline));
            ASSIGN_OR_RETURN(acceptance_.baseline, read_baseline(text, options_.baseline, file_.fabric));
        }
        // What was not asked for is no condition.
        limits.hosts_asked = options_.has("hosts");
        limits.cables_asked = options_.has("cables");
        limits.results_asked = options_.has("results");
        limits.speed_asked = options_.has("speed");
        return {};
    }

    /// Runs a stage if it is asked for, and no signal came; keeps why it failed.
    template <typename Result, typename Stage>
    bool try_stage(const char* name, std::optional<Result>& result, Stage stage) {
        if (!options_.has(name) || EndRequests::came()) return false;
        auto outcome = stage();
        if (outcome) {
            result = std::move(*outcome);
        } else if (!EndRequests::came()) {
            acceptance_.errors.push_back(std::string(name) + ": " + outcome.error().text());
        }
        return result.has_value();
    }

    void run_stages() {
        const StageRunner runner(options_, file_.fabric, folder_.get(), console_);
        if (options_.measured.empty()) try_stage("hosts", acceptance_.hosts, [&] { return runner.hosts(); });
        std::optional<MeasuredCables> cables;
        if (try_stage("cables", cables, [&] { return runner.cables(); })) judge(std::move(*cables), runner);
        if (!options_.measured.empty()) return;
        if (judged_ && judged_->has_gaps() && (options_.has("results") || options_.has("speed"))) {
            acceptance_.errors.emplace_back(
                "results and speed were not measured, as a host did not answer, or nothing passes over a cable");
            return;
        }
        try_stage("results", acceptance_.results, [&] { return runner.results(); });
        if (options_.has("speed") && !EndRequests::came()) {
            acceptance_.speed = measure_speed(options_, runner, acceptance_.limits,
                                              acceptance_.hosts ? &*acceptance_.hosts : nullptr, acceptance_.errors);
        }
    }

    void judge(MeasuredCables cables, const StageRunner& runner) {
        acceptance_.cable_rounds = cables.rounds;
        acceptance_.cable_rounds_done = cables.rounds_done;
        if (!cables.complete()) return;
        const double least = acceptance_.limits.least_share.value_or(acceptance::least_share);
        const auto again = [&](int time) { return runner.cables_again(time); };
        auto judged = JudgedCables::judge(std::move(cables), file_.fabric, least,
                                          options_.measured.empty() ? again : JudgedCables::Again());
        if (!judged) return acceptance_.errors.push_back("cables: " + judged.error().text());
        judged_ = std::move(*judged);
        if (const std::string open = judged_->left_open(); !open.empty() && !EndRequests::came()) {
            acceptance_.errors.push_back("cables: " + open);
        }
        acceptance_.cables.emplace(judged_->report());
    }

    Expected<int> report() {
        if (options_.format == Format::json) {
            write_report_json(acceptance_, console_.out);
        } else {
            write_report_text(acceptance_, console_.out);
        }
        if (folder_) {
            RETURN_IF_ERROR(folder_->write(acceptance_));
            RETURN_IF_ERROR(write_corrected());
            console_.notes << fmt::format("note: the report is {}/index.html\n", options_.output);
        }
        if (!acceptance_.interrupted.empty()) return exit_not_run;
        // What a dead cable keeps from being tested does not make it less of a fault.
        const auto conditions = conditions_of(acceptance_);
        if (is_refused(conditions)) return exit_finding;
        return acceptance_.errors.empty() && is_accepted(conditions) ? exit_success : exit_not_run;
    }

    /// The topology file as the cluster is wired.
    Expected<void> write_corrected() const {
        if (!options_.corrected || !judged_ || !judged_->verdict().as_wired) return {};
        ASSIGN_OR_RETURN(const std::string text, contents_of(options_.file));
        std::string corrected =
            fmt::format("# {} as coll-topo accept found it wired, {}\n", options_.file, acceptance_.date) +
            importing::topology_text(*judged_->verdict().as_wired);
        for (const std::string_view line : split(text, '\n')) {
            if (line.starts_with("Machine")) corrected += std::string(line) + "\n";
        }
        return folder_->write_file("corrected.conf", corrected);
    }

    const AcceptOptions& options_;
    const Console& console_;
    TopologyFile file_;
    std::unique_ptr<ReportFolder> folder_;
    std::unique_ptr<JudgedCables> judged_;
    Acceptance acceptance_;
};

Expected<int> accept(const AcceptOptions& options, const Console& console) {
    if (options.format == Format::csv && !options.dry_run) return failure("--format csv is for --dry-run");
    if ((options.resume || options.corrected) && options.output.empty()) {
        return failure("--resume and --corrected need the folder of a report: --output");
    }
    auto file = read_topology_file(options.file);
    RETURN_IF_ERROR(file);
    for (const Error& note : file->notes) console.notes << "note: " << note.text() << "\n";
    if (file->fabric.hosts.size() > most_hosts) {
        return failure(fmt::format("the network has {} hosts; the cables of {} at most can be tested",
                                   file->fabric.hosts.size(), most_hosts),
                       {options.file});
    }
    if (options.dry_run) return show_effort(options, file->fabric, console);
    return AcceptRun(options, std::move(*file), console).run();
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
    return {accept_usage(options),
            [options](const Console& console) -> Expected<int> { return accept_or_say_why_not(*options, console); }};
}

}  // namespace coll_topo::tool
