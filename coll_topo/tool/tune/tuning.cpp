// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace coll_topo::tool {

namespace {

constexpr std::string_view by_time = "topo";
constexpr std::string_view named = "topo:";

struct Choice {
    Rule::Choice kind = Rule::Choice::by_time;
    const Algorithm* algorithm = nullptr;
    FixedSettings fixed;
    bool operator==(const Choice&) const = default;
};

/// All measurements for one size.
using Measured = std::map<Contender, std::vector<BenchCase>>;
struct Series {
    BenchSetting setting;
    std::string collective;
    Rule about;  ///< only its collective
    std::map<std::int64_t, Measured> sizes;
};

/// The row that "topo:NAME" names, if a rule can name it for the collective.
const Algorithm* row_of(std::string_view component, Call call) {
    if (!component.starts_with(named)) return nullptr;
    const Algorithm* const row = find_algorithm(component.substr(named.size()));
    return row != nullptr && row->serves(call) ? row : nullptr;
}

/// Why a measurement says nothing about a rule; empty if it does.
std::string why_left_out(const BenchCase& one) {
    const auto call = find_call(one.collective);
    if (!call) return "rules do not know " + one.collective;
    if (!one.right) return "a result was wrong";
    if (!(one.median > 0)) return "no time was measured";
    if (one.component.starts_with(named) && row_of(one.component, *call) == nullptr) {
        return "this coll_topo has no such algorithm for " + one.collective;
    }
    // Where predicted time leaves a call to the previous module, that is what it chooses.
    if (one.component != by_time && !one.served) return "another component did the work";
    return {};
}

/// What a component is compared as: what is fixed counts where it makes a difference.
Contender contender_of(const std::string& component, const Rule& rule, FixedSettings fixed) {
    if (component == by_time) return {component, fixed};
    const Algorithm* const row = row_of(component, rule.call);
    if (row == nullptr || !row->uses_lanes) fixed.lanes = 0;
    if (row == nullptr || !row->uses_segments) fixed.segments = 0;
    if (row == nullptr || !row->uses_aggregators) fixed.aggregators = 0;
    return {component, fixed};
}

std::vector<Series> collect(const std::vector<BenchRun>& runs, std::vector<std::string>& notes) {
    std::vector<Series> all;
    for (const BenchRun& run : runs) {
        for (const BenchCase& one : run.cases) {
            if (const std::string why = why_left_out(one); !why.empty()) {
                std::string note =
                    run.file + ": " + one.collective + " with " + one.component + " is left out where " + why;
                if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
                continue;
            }
            auto series = std::ranges::find_if(all, [&](const Series& other) {
                return other.collective == one.collective && other.setting == run.setting;
            });
            if (series == all.end()) {
                Rule about;
                about.call = *find_call(one.collective);
                series = all.insert(series, {run.setting, one.collective, std::move(about), {}});
            }
            const std::int64_t bytes = series->about.call == Call::barrier ? 0 : one.bytes;  // it has none
            series->sizes[bytes][contender_of(one.component, series->about, run.fixed)].push_back(one);
        }
    }
    return all;
}

double median_of(std::vector<BenchCase> cases) {
    std::ranges::sort(cases, {}, &BenchCase::median);
    const std::size_t half = cases.size() / 2;
    return cases.size() % 2 == 1 ? cases[half].median : (cases[half - 1].median + cases[half].median) / 2;
}

TunedSize summarize(std::int64_t bytes, const Measured& measured) {
    TunedSize size{bytes, {}};
    size.most_bytes = bytes;
    for (const auto& [contender, cases] : measured) {
        size.medians[contender] = median_of(cases);
        for (const BenchCase& one : cases) size.most_bytes = std::max(size.most_bytes, one.most_bytes);
    }
    if (const auto chosen = measured.find(Contender{std::string(by_time), {}}); chosen != measured.end()) {
        size.least_by_time = std::ranges::min(chosen->second, {}, &BenchCase::least).least;
    }
    return size;
}

/// The choice for a size; nothing where nothing of coll_topo was measured.
std::optional<Choice> fastest(const TunedSize& size, const Rule& rule, const std::string& previous) {
    constexpr double never = std::numeric_limits<double>::infinity();
    const auto time_of = [&](std::string_view component) {
        const auto found = size.medians.find(Contender{std::string(component), {}});
        return found == size.medians.end() ? never : found->second;
    };
    double least_own = never, least_to_name = never;
    std::optional<Choice> best;
    for (const auto& [contender, median] : size.medians) {
        const Algorithm* const row = row_of(contender.component, rule.call);
        if (row == nullptr && contender.component != by_time) continue;
        least_own = std::min(least_own, median);
        const Choice choice{row != nullptr ? Rule::Choice::algorithm : Rule::Choice::by_time, row, contender.fixed};
        if (choice == Choice{} || median >= least_to_name) continue;
        best = choice;
        least_to_name = median;
    }
    if (least_own == never) return std::nullopt;
    const double before = time_of(previous);
    if (time_of(by_time) <= worth_a_rule * std::min(before, least_own)) return Choice{};
    if (before * worth_a_rule < least_own) return Choice{Rule::Choice::previous, nullptr, {}};
    // Only the previous module and the choice by predicted time were measured, and are nearly alike.
    return best ? best : Choice{};
}

Rule rule_for(const Choice& choice, Rule rule, const BenchSetting& setting) {
    rule.ranks = {setting.ranks, setting.ranks};
    rule.hosts = {setting.grid.hosts, setting.grid.hosts};
    rule.ranks_per_host = {setting.grid.least_ranks_per_host, setting.grid.most_ranks_per_host};
    rule.shape = setting.grid.shape;
    rule.choice = choice.kind;
    rule.algorithm = choice.algorithm;
    rule.lanes = choice.fixed.lanes;
    rule.segments = choice.fixed.segments;
    rule.aggregators = choice.fixed.aggregators;
    return rule;
}

/// The largest size that goes with the lower of two measured ones.
std::int64_t border(const TunedSize& lower, const TunedSize& upper) {
    const double mean = std::sqrt(static_cast<double>(lower.most_bytes) * static_cast<double>(upper.bytes));
    return std::max(lower.most_bytes, static_cast<std::int64_t>(mean));
}

void set_ranges(std::vector<TunedStretch>& stretches) {
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        if (!stretches[i].rule) continue;
        const std::vector<TunedSize>& sizes = stretches[i].sizes;
        Range& bytes = stretches[i].rule->bytes;
        bytes.least = i == 0 ? sizes.front().bytes : border(stretches[i - 1].sizes.back(), sizes.front()) + 1;
        bytes.most =
            i + 1 == stretches.size() ? sizes.back().most_bytes : border(sizes.back(), stretches[i + 1].sizes.front());
    }
}

TunedCollective tune_one(const Series& series, const std::string& previous) {
    TunedCollective tuned{series.setting, series.collective, {}};
    const Rule& about = series.about;
    std::optional<Choice> last;
    for (const auto& [bytes, measured] : series.sizes) {
        TunedSize size = summarize(bytes, measured);
        const auto choice = fastest(size, about, previous);
        if (!choice) continue;
        if (choice != last) {
            tuned.stretches.emplace_back();
            if (*choice != Choice{}) tuned.stretches.back().rule = rule_for(*choice, about, series.setting);
        }
        last = choice;
        tuned.stretches.back().sizes.push_back(std::move(size));
    }
    if (has_size(about.call)) {
        set_ranges(tuned.stretches);
    } else if (tuned.stretches.size() > 1) {
        tuned.undecided = true;
        for (TunedStretch& stretch : tuned.stretches) stretch.rule.reset();
    }
    return tuned;
}

}  // namespace

Tuning tune(const std::vector<BenchRun>& runs, const std::string& previous) {
    Tuning tuning;
    for (const Series& series : collect(runs, tuning.notes)) {
        TunedCollective tuned = tune_one(series, previous);
        if (tuned.stretches.empty()) {
            tuning.notes.push_back(series.collective + ": nothing of coll_topo was measured");
        } else {
            tuning.collectives.push_back(std::move(tuned));
        }
    }
    return tuning;
}

}  // namespace coll_topo::tool
