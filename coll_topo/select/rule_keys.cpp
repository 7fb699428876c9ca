// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/rule_keys.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/wording.hpp"
#include "coll_topo/select/decision.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

namespace coll_topo {

namespace {

constexpr std::int64_t largest_number = std::numeric_limits<int>::max();

Expected<void> read_collective(const Located& name, std::string_view, Rule& rule) {
    std::vector<std::string_view> names;
    for (int index = 0; index < call_count; ++index) {
        rule.call = static_cast<Call>(index);
        names.push_back(call_name(rule.call));
        if (same_word(names.back(), name.text)) return {};
    }
    return name.error("unknown collective " + in_quotes(name.text) + "; " + suggestion(name.text, names));
}

/// "8", "8-64", "8-" or "-64".
template <typename ParseBound>
Expected<Range> parse_range(const Located& text, const ParseBound& parse) {
    const std::size_t dash = text.text.find('-');
    if (text.text == "-") return text.error("a range needs a bound: A-B, A- or -B");
    if (dash == std::string_view::npos) {
        return parse(text).map([](std::int64_t value) { return Range{value, value}; });
    }
    Range range;
    const auto read = [&](const Located& bound, std::int64_t& value) -> Expected<void> {
        if (bound.text.empty()) return {};
        return parse(bound).map([&](std::int64_t parsed) { value = parsed; });
    };
    RETURN_IF_ERROR(read(text.part(0, dash), range.least));
    RETURN_IF_ERROR(read(text.part(dash + 1), range.most));
    if (range.least > range.most) return text.error("the range " + in_quotes(text.text) + " is empty");
    return range;
}

Expected<void> read_bytes(const Located& text, std::string_view key, Rule& rule) {
    if (!has_size(rule.call)) {
        return text.error(std::string(key) + "= has no part in " + std::string(call_name(rule.call)) +
                          (has_unequal_pieces(rule.call) ? ": not all ranks know the sizes of all pieces" : ""));
    }
    ASSIGN_OR_RETURN(rule.bytes, parse_range(text, parse_bytes));
    return {};
}

template <Range Rule::*range>
Expected<void> read_counts(const Located& text, std::string_view key, Rule& rule) {
    const auto parse = [&](const Located& bound) { return parse_integer(bound, 1, largest_number, key); };
    ASSIGN_OR_RETURN(rule.*range, parse_range(text, parse));
    return {};
}

/// "4x4" as shape_of() writes it: without axes of one place.
Expected<void> read_shape(const Located& text, std::string_view, Rule& rule) {
    std::string shape;
    for (const Located& size : split(text, 'x')) {
        ASSIGN_OR_RETURN(const auto value, parse_integer(size, 1, largest_number, "the size of an axis"));
        if (value > 1) shape += (shape.empty() ? "" : "x") + std::to_string(value);
    }
    rule.shape = shape.empty() ? "1" : shape;
    return {};
}

Expected<void> read_choice(const Located& name, std::string_view, Rule& rule) {
    if (same_word(name.text, Rule::by_time_name)) return {};
    if (same_word(name.text, Rule::previous_name)) {
        rule.choice = Rule::Choice::previous;
        return {};
    }
    rule.choice = Rule::Choice::algorithm;
    std::vector<std::string_view> serving;
    for (const Algorithm& row : catalogue()) {
        const bool named = same_word(name.text, row.name);
        if (named) rule.algorithm = &row;
        if (!row.serves(rule.call)) continue;
        if (named) return {};
        serving.push_back(row.name);
    }
    serving.insert(serving.end(), {Rule::previous_name, Rule::by_time_name});
    const std::string collective(call_name(rule.call));
    if (rule.algorithm != nullptr) {
        return name.error(std::string(rule.algorithm->name) + " does not serve " + collective + "; expected " +
                          alternatives(serving));
    }
    return name.error("no algorithm " + in_quotes(name.text) + " for " + collective + "; " +
                      suggestion(name.text, serving));
}

template <int Rule::*number, std::int64_t most>
Expected<void> read_number(const Located& text, std::string_view key, Rule& rule) {
    ASSIGN_OR_RETURN(const std::int64_t value, parse_integer(text, 1, most, key));
    rule.*number = static_cast<int>(value);
    return {};
}

/// A key of a rule, and what reads its value into the rule, given the name of the key for messages.
struct RuleKey {
    KeyRule key;
    Expected<void> (*read)(const Located& value, std::string_view key, Rule& rule);
};

/// Read in this order: the collective decides which sizes and algorithms there are.
constexpr RuleKey rows[] = {
    {{"Collective", Need::always}, read_collective},
    {{"Bytes"}, read_bytes},
    {{"Ranks"}, read_counts<&Rule::ranks>},
    {{"Hosts"}, read_counts<&Rule::hosts>},
    {{"RanksPerHost"}, read_counts<&Rule::ranks_per_host>},
    {{"Shape"}, read_shape},
    {{"Algorithm", Need::always}, read_choice},
    {{"Lanes"}, read_number<&Rule::lanes, most_lanes>},
    {{"Segments"}, read_number<&Rule::segments, most_forced_segments>},
    {{"Aggregators"}, read_number<&Rule::aggregators, largest_number>},
};
static_assert(std::size(rows) <= Statement::most_keys);

constexpr auto keys = [] {
    std::array<KeyRule, std::size(rows)> result;
    std::ranges::transform(rows, result.begin(), &RuleKey::key);
    return result;
}();
constexpr StatementRule statements[] = {{StatementKind::rule, "Rule", false, keys}};

constexpr std::string_view topology = "a topology file, see coll-topo.conf(5)";
constexpr ForeignWord foreign_words[] = {{"TorusName", topology},       {"NodeName", topology},
                                         {"SwitchName", topology},      {"Link", topology},
                                         {"LatinSquareName", topology}, {"FullMeshName", topology}};
constexpr Grammar grammar = {statements, foreign_words};

}  // namespace

const Grammar& rules_grammar() {
    return grammar;
}

Expected<Rule> read_rule(const Statement& statement) {
    Rule rule;
    rule.where = statement.word.where();
    for (const auto& [key, read] : rows) {
        if (!statement.has(key.name)) continue;
        RETURN_IF_ERROR(read(statement.value(key.name), key.name, rule));
    }
    return rule;
}

}  // namespace coll_topo
