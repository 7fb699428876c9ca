// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/commands/speed_measurement.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/schedule/call.hpp"
#include "coll_topo/tool/output/program_output.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"
#include "coll_topo/tool/tune/tuning.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace coll_topo::tool {

namespace {

constexpr const char* rivals = "topo,tuned,han,basic";
constexpr const char *few = "7", *many = "21";  // calls of each

std::vector<std::string> collectives_of(const AcceptOptions& options) {
    std::vector<std::string> names;
    for (const std::string_view name : split(options.collectives, ',')) {
        if (name != "all") {
            names.emplace_back(name);
            continue;
        }
        for (const CallRow& call : calls) names.emplace_back(call.name);
    }
    return names;
}

bool is_bench_result(const std::string& text) {
    return parse_bench_results(text, "").has_value();
}

class SpeedMeasurement {
public:
    SpeedMeasurement(const AcceptOptions& options, const StageRunner& runner, std::vector<std::string>& errors)
        : options_(options), runner_(runner), errors_(errors) {}

    /// One collective; nothing if it could not be measured.
    std::optional<BenchRun> measure(const std::string& stage, const std::string& collective, const std::string& sizes,
                                    const std::string& components, const char* repetitions) const {
        const auto text = runner_.output(
            stage, "coll-topo-bench",
            {"--collectives", collective, "--sizes", sizes, "--components", components, "--format", "json",
             "--repetitions", repetitions, "--seconds", options_.quick ? "2" : "10", "--quiet", "1", "--give-up", "4"},
            options_.seconds_of_stage, is_bench_result);
        if (!text) {
            if (!EndRequests::came()) errors_.push_back(fmt::format("{}: {}", stage, text.error().text()));
            return std::nullopt;
        }
        return *parse_bench_results(*text, stage);
    }

private:
    const AcceptOptions& options_;
    const StageRunner& runner_;
    std::vector<std::string>& errors_;
};

/// Predicts as coll_topo does, for the hosts on which ranks ran.
Predictor predictor_for(const AcceptOptions& options, const HostStage* hosts) {
    const auto nothing = [](const std::string&, std::int64_t) { return std::optional<double>(); };
    if (hosts == nullptr) return nothing;
    auto file = read_topology_file(options.file);
    if (!file) return nothing;
    Placement placement;
    for (const RankFacts& rank : hosts->ranks) {
        int host = file->fabric.hosts.find(rank.host);
        if (host == NameTable::missing) host = file->fabric.hosts.find(rank.host.substr(0, rank.host.find('.')));
        if (host == NameTable::missing) return nothing;
        placement.emplace_back().host = host;
    }
    ScenarioOptions asked;
    asked.file = options.file;
    asked.variants = true;
    auto made = make_scenario(std::move(*file), std::move(placement), asked);
    if (!made) return nothing;
    const auto scenario = std::make_shared<Scenario>(std::move(*made));
    return [scenario, asked](const std::string& collective, std::int64_t bytes) -> std::optional<double> {
        const auto call = find_call(collective);
        if (!call || has_unequal_pieces(*call)) return std::nullopt;  // nobody knows sizes when they are chosen
        ScenarioOptions now = asked;
        now.collective = collective;
        now.bytes = std::to_string(bytes);
        if (!set_request(*scenario, now)) return std::nullopt;
        const Decision decision = examine(*scenario);
        if (decision.chosen < 0) return std::nullopt;
        return decision.candidates[static_cast<std::size_t>(decision.chosen)].seconds;
    };
}

/// The sizes of a collective that seemed lost, as coll-topo-bench takes them.
std::string lost_sizes(const std::vector<SpeedCase>& cases, const std::string& collective) {
    std::string sizes;
    for (const SpeedCase& speed : cases) {
        if (speed.collective != collective || !speed.lost) continue;
        sizes += (sizes.empty() ? "" : ",") + std::to_string(speed.bytes);
    }
    return sizes;
}

}  // namespace

SpeedStage measure_speed(const AcceptOptions& options, const StageRunner& runner, const AcceptanceLimits& limits,
                         const HostStage* hosts, std::vector<std::string>& errors) {
    const SpeedMeasurement measurement(options, runner, errors);
    const Predictor predict = predictor_for(options, hosts);
    const double most_slower = limits.most_slower.value_or(0);
    SpeedStage stage;
    std::vector<BenchRun> runs, repeated;
    for (const std::string& collective : collectives_of(options)) {
        auto run = EndRequests::came() ? std::nullopt
                                       : measurement.measure("speed-" + collective, collective,
                                                             collective == "barrier" ? "8" : options.sizes_or_default(),
                                                             rivals, options.quick ? few : many);
        if (run) {
            runs.push_back(std::move(*run));
        } else {
            stage.missing.push_back(collective);
        }
    }
    const auto first = speed_cases(runs, {}, most_slower, predict);
    for (const BenchRun& run : runs) {
        if (run.cases.empty()) continue;
        const std::string& collective = run.cases.front().collective;
        const std::string sizes = lost_sizes(first, collective);
        if (sizes.empty() || EndRequests::came()) continue;
        auto again =
            measurement.measure("again-" + collective, collective, sizes, fmt::format("topo:*,{}", rivals), many);
        if (again) repeated.push_back(std::move(*again));
    }
    stage.cases = speed_cases(runs, repeated, most_slower, predict);
    const bool mended = std::any_of(stage.cases.begin(), stage.cases.end(),
                                    [](const SpeedCase& speed) { return !speed.mended_by.empty(); });
    if (mended) stage.rules = tuning_text(tune(repeated, "tuned"), repeated, "tuned");
    return stage;
}

}  // namespace coll_topo::tool
