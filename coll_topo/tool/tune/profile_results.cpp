// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/profile_results.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/tool/tune/comment_text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace coll_topo::tool {

namespace {

/// Of a call, from when the last rank entered, so that the program's own imbalance does not count; if that is not
/// known, as ranks see it. Of calls with requests, what the program did meanwhile cannot be told apart.
std::optional<double> seconds_of(const ProfileLine& line) {
    if (line.key.form != CallForm::blocking) return std::nullopt;
    return line.transfer ? line.transfer : line.median;
}

BenchSetting setting_of(const ProfileShape& shape) {
    return {shape.ranks, {shape.shape, shape.hosts, shape.least_ranks_per_host, shape.most_ranks_per_host}};
}

std::string component_of(const ProfileKey& key) {
    if (!key.by_user) return "topo";
    return key.passed_on ? key.run_by : "topo:" + key.run_by;
}

FixedSettings fixed_of(const ProfileKey& key) {
    if (!key.by_user || key.passed_on) return {};
    return {key.lanes, key.segments, key.aggregators};
}

BenchCase case_of(const ProfileLine& line) {
    constexpr double microsecond = 1e-6;
    const double median = *seconds_of(line) / microsecond;
    return {std::string(call_name(line.key.call)),
            static_cast<std::int64_t>(least_bytes_of(line.key.size_class)),
            component_of(line.key),
            median,
            !line.key.passed_on || line.key.by_user,
            true,
            median,
            static_cast<std::int64_t>(most_bytes_of(line.key.size_class))};
}

/// How much longer than predicted is worth a look.
constexpr double far_off = 1.5;

bool is_worth_measuring(const ProfileLine& line) {
    const auto measured = seconds_of(line);
    return measured && line.total && (!line.predicted || *measured > far_off * *line.predicted);
}

std::string comment(const std::string& words) {
    std::string text;
    for (const std::string& line : lines_of_words(words, line_width - 6))
        text += (text.empty() ? "# " : "#     ") + line + "\n";
    return text;
}

}  // namespace

std::vector<BenchRun> results_of(const ProfileReport& profile, const std::string& file) {
    std::vector<BenchRun> runs;
    for (const ProfileLine& line : profile.lines) {
        if (!seconds_of(line)) continue;
        const BenchSetting setting = setting_of(line.key.communicator);
        const FixedSettings fixed = fixed_of(line.key);
        auto run = std::ranges::find_if(
            runs, [&](const BenchRun& other) { return other.setting == setting && other.fixed == fixed; });
        if (run == runs.end()) {
            run = runs.insert(run, {file,
                                    setting,
                                    fixed,
                                    profile.job.network,
                                    profile.job.mpi,
                                    fmt::format("a profile of {} ranks", profile.job.ranks),
                                    {}});
        }
        run->cases.push_back(case_of(line));
    }
    return runs;
}

std::string worth_measuring(const ProfileReport& profile, const std::string& file) {
    constexpr int most_shown = 10;
    std::string text;
    int shown = 0;
    for (const ProfileLine& line : profile.lines) {
        if (!is_worth_measuring(line) || shown++ >= most_shown) continue;
        const std::string predicted =
            line.predicted ? duration_text(*line.predicted) + " predicted" : "nothing predicted";
        text +=
            comment(fmt::format("{} {} from {} B of {} ranks by {}: {} a call, {}, {:.3g} s of each rank", line.calls,
                                call_name(line.key.call), least_bytes_of(line.key.size_class),
                                line.key.communicator.ranks, one_line(line.key.run_by_text()),
                                duration_text(*seconds_of(line)), predicted, *line.total / profile.job.profiled_ranks));
        text += fmt::format("#     coll-topo-bench --collectives {} --sizes {} ...\n", call_name(line.key.call),
                            std::max<std::uint64_t>(8, std::llround(line.mean_bytes)));
    }
    if (text.empty()) return text;
    return "\n# ---- worth measuring: what would be faster, a profile cannot tell ----\n" +
           comment(one_line(file) +
                   ": in jobs of as many ranks, each of these with --components 'topo,topo:*,tuned' "
                   "--format json --output FILE, then coll-topo tune FILE") +
           text;
}

}  // namespace coll_topo::tool
