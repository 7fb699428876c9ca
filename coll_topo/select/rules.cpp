// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/rules.hpp"

#include "coll_topo/base/digest.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/grid/grid_shape.hpp"
#include "coll_topo/input/statement.hpp"

#include <algorithm>

namespace coll_topo {

namespace {

void add(Digest& digest, const Range& range) {
    digest.add(range.least);
    digest.add(range.most);
}

/// Why a rule can never count after one that covers it; empty if it can.
std::string why_never(const Rule& earlier, const Rule& rule) {
    if (!earlier.covers(rule)) return {};
    const std::string all = "the rule at " + earlier.where.text() + " matches all that it matches";
    if (earlier.choice != Rule::Choice::algorithm) return "this rule never counts: " + all;
    return "this rule counts only where " + std::string(earlier.algorithm->name) + " cannot serve: " + all;
}

/// "Lanes= and Segments=" that mean nothing to what the rule chooses; empty if all mean something.
std::string without_effect(const Rule& rule) {
    const Algorithm* const row = rule.algorithm;
    const bool by_time = rule.choice == Rule::Choice::by_time;
    std::string keys;
    const auto look = [&](std::string_view key, int number, bool Algorithm::*used) {
        if (number == 0 || by_time || (row != nullptr && row->*used)) return;
        keys += (keys.empty() ? "" : " and ") + std::string(key) + "=";
    };
    look("Lanes", rule.lanes, &Algorithm::uses_lanes);
    look("Segments", rule.segments, &Algorithm::uses_segments);
    look("Aggregators", rule.aggregators, &Algorithm::uses_aggregators);
    return keys;
}

}  // namespace

bool Rule::suits(const Grid& grid) const {
    return ranks.contains(grid.ranks()) && hosts.contains(grid.hosts()) &&
           ranks_per_host.contains(Range{grid.fewest_ranks_per_host(), grid.most_ranks_per_host()}) &&
           (shape.empty() || shape == shape_of(grid));
}

bool Rule::covers(const Rule& other) const {
    return call == other.call && bytes.contains(other.bytes) && ranks.contains(other.ranks) &&
           hosts.contains(other.hosts) && ranks_per_host.contains(other.ranks_per_host) &&
           (shape.empty() || shape == other.shape);
}

std::string_view Rule::choice_name() const {
    switch (choice) {
        case Choice::by_time:
            return by_time_name;
        case Choice::previous:
            return previous_name;
        case Choice::algorithm:
            break;
    }
    return algorithm->name;
}

std::string Rule::choice_text() const {
    std::string text(choice_name());
    if (lanes > 0) text += ", " + counted(lanes, "lane", "lanes");
    if (segments > 0) text += ", " + counted(segments, "segment", "segments");
    if (aggregators > 0) text += ", " + counted(aggregators, "aggregator", "aggregators") + " per host";
    return text;
}

std::uint64_t digest_of(const Rules& rules) {
    if (rules.empty()) return 0;
    Digest digest;
    digest.add(rules.size());
    for (const Rule& rule : rules) {
        digest.add(call_name(rule.call));
        for (const Range& range : {rule.bytes, rule.ranks, rule.hosts, rule.ranks_per_host}) add(digest, range);
        digest.add(std::string_view(rule.shape));
        digest.add(rule.choice_name());
        for (const int number : {rule.lanes, rule.segments, rule.aggregators}) digest.add(number);
    }
    return digest.value();
}

std::vector<Error> remarks_on(const Rules& rules) {
    std::vector<Error> remarks;
    for (auto rule = rules.begin(); rule != rules.end(); ++rule) {
        if (const std::string keys = without_effect(*rule); !keys.empty()) {
            remarks.push_back({keys + " without effect on " + std::string(rule->choice_name()), rule->where});
        }
        for (auto earlier = rules.begin(); earlier != rule; ++earlier) {
            std::string remark = why_never(*earlier, *rule);
            if (remark.empty()) continue;
            remarks.push_back({std::move(remark), rule->where});
            break;
        }
    }
    return remarks;
}

RuleTable::RuleTable(std::span<const Rule> rules, const Grid* grid, Call call) : first_of_range_{0} {
    for (const Rule& rule : rules) {
        if (rule.call != call || !rule.suits(*grid)) continue;
        rules_.push_back(&rule);
        first_of_range_.push_back(rule.bytes.least);
        if (rule.bytes.most < Range().most) first_of_range_.push_back(rule.bytes.most + 1);
    }
    std::ranges::sort(first_of_range_);
    const auto repeated = std::ranges::unique(first_of_range_);
    first_of_range_.erase(repeated.begin(), repeated.end());
}

int RuleTable::range_of(std::size_t bytes) const {
    const auto value = static_cast<std::int64_t>(std::min<std::size_t>(bytes, Range().most));
    return static_cast<int>(std::ranges::upper_bound(first_of_range_, value) - first_of_range_.begin()) - 1;
}

std::vector<const Rule*> RuleTable::matching(int range) const {
    std::vector<const Rule*> found;
    for (const Rule* const rule : rules_) {
        if (rule->bytes.contains(first_of_range_[range])) found.push_back(rule);
    }
    return found;
}

}  // namespace coll_topo
