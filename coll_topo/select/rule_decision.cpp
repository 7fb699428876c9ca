// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/rule_decision.hpp"

#include <set>

namespace coll_topo {

namespace {

Preferences with_rule(Preferences preferences, const Rule& rule) {
    preferences.algorithm = rule.algorithm;
    if (preferences.lanes == 0) preferences.lanes = rule.lanes;
    if (preferences.segments == 0) preferences.segments = rule.segments;
    if (preferences.aggregators == 0) preferences.aggregators = rule.aggregators;
    return preferences;
}

std::string why_passed_over(const Rule& rule, const Decision& decision) {
    std::string text = rule.place() + ": " + rule.choice_text();
    if (!decision.candidates.empty()) text += ": " + decision.candidates.front().refusal;
    return text;
}

}  // namespace

Decision decide_by_rules(const Grid& grid, const Request& request, const Preferences& preferences,
                         std::span<const Rule* const> matching) {
    std::vector<std::string> passed_over;
    if (preferences.algorithm != nullptr || preferences.fixed_order) matching = {};
    for (const Rule* const rule : matching) {
        if (rule->choice == Rule::Choice::previous && preferences.never_defer) {
            passed_over.push_back(rule->place() + ": previous: it must be an algorithm of this component");
            continue;
        }
        Decision decision = decide(grid, request, with_rule(preferences, *rule));
        if (rule->choice == Rule::Choice::algorithm && decision.chosen < 0) {
            passed_over.push_back(why_passed_over(*rule, decision));
            continue;
        }
        if (rule->choice == Rule::Choice::previous) decision.chosen = -1;
        decision.rule = rule->place();
        decision.passed_over = std::move(passed_over);
        return decision;
    }
    Decision decision = decide(grid, request, preferences);
    decision.passed_over = std::move(passed_over);
    return decision;
}

std::vector<SizedDecision> decide_for_sizes(SizeClasses classes, const Grid& grid, Request request,
                                            const Preferences& preferences, const RuleTable& rules) {
    const auto at = [&](std::size_t bytes) {
        const auto matching = rules.matching(rules.range_of(bytes));
        return decide_by_rules(grid, request, preferences, matching);
    };
    std::vector<SizedDecision> decisions;
    if (!has_size(request.call)) {
        decisions.push_back({request.bytes, at(static_cast<std::size_t>(request.bytes))});
        return decisions;
    }
    std::set<std::size_t> sizes;
    for (int c = classes.first; c <= classes.last; ++c) sizes.insert(static_cast<std::size_t>(representative_bytes(c)));
    for (int range = 0; range < rules.ranges(); ++range) {
        const int c = size_class(rules.first_of(range));
        if (c >= classes.first && c <= classes.last) sizes.insert(rules.first_of(range));
    }
    for (const std::size_t bytes : sizes) {
        request.bytes = representative_bytes(size_class(bytes));
        decisions.push_back({static_cast<double>(bytes), at(bytes)});
    }
    return decisions;
}

}  // namespace coll_topo
