// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/rules_file.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/rules_grammar.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/wording.hpp"
#include "coll_topo/select/barrier.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/select/unequal_pieces.hpp"

#include <algorithm>
#include <functional>

namespace coll_topo {

namespace {

constexpr int most_rules = 10000;
constexpr std::int64_t largest_number = std::numeric_limits<int>::max();

Expected<void> read_collective(const Located& name, Rule& rule) {
    const auto* const unequal =
        std::ranges::find_if(unequal_alltoalls, [&](std::string_view known) { return same_word(known, name.text); });
    if (unequal != unequal_alltoalls.end()) {
        rule.collective = Collective::alltoall;
        rule.variant = *unequal;
        return {};
    }
    if (same_word(name.text, barrier_name)) {
        rule.collective = barrier_request().collective;
        rule.variant = barrier_name;
        return {};
    }
    std::vector<std::string_view> names;
    for (int index = 0; index < collective_count; ++index) {
        rule.collective = static_cast<Collective>(index);
        names.push_back(collective_name(rule.collective));
        if (same_word(names.back(), name.text)) return {};
    }
    names.insert(names.end(), unequal_alltoalls.begin(), unequal_alltoalls.end());
    names.push_back(barrier_name);
    return name.error("unknown collective " + in_quotes(name.text) + "; " + suggestion(name.text, names));
}

using ParseBound = std::function<Expected<std::int64_t>(const Located&)>;

/// "8", "8-64", "8-" or "-64".
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

ParseBound parse_count_of(Key key) {
    return [key](const Located& text) { return parse_integer(text, 1, largest_number, key_name(key)); };
}

/// "4x4" as shape_of() writes it: without axes of one place.
Expected<std::string> parse_shape(const Located& text) {
    std::string shape;
    for (const Located& size : split(text, 'x')) {
        ASSIGN_OR_RETURN(const auto value, parse_integer(size, 1, largest_number, "the size of an axis"));
        if (value > 1) shape += (shape.empty() ? "" : "x") + std::to_string(value);
    }
    return shape.empty() ? "1" : shape;
}

Expected<void> read_conditions(const Statement& statement, Rule& rule) {
    const auto read = [&](Key key, const ParseBound& parse, Range& range) -> Expected<void> {
        if (!statement.has(key)) return {};
        return parse_range(statement.value(key), parse).map([&](const Range& parsed) { range = parsed; });
    };
    if (!rule.variant.empty() && statement.has(Key::bytes)) {
        return statement.value(Key::bytes)
            .error("Bytes= has no part in " + std::string(rule.variant) +
                   (rule.variant == barrier_name ? "" : ": no rank knows the sizes of all pieces"));
    }
    auto done = read(Key::bytes, parse_bytes, rule.bytes);
    if (done) done = read(Key::ranks, parse_count_of(Key::ranks), rule.ranks);
    if (done) done = read(Key::hosts, parse_count_of(Key::hosts), rule.hosts);
    if (done) done = read(Key::ranks_per_host, parse_count_of(Key::ranks_per_host), rule.ranks_per_host);
    if (!done || !statement.has(Key::shape)) return done;
    return parse_shape(statement.value(Key::shape)).map([&](std::string shape) { rule.shape = std::move(shape); });
}

Expected<void> read_choice(const Located& name, Rule& rule) {
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
        if (!row.serves(rule.collective) || (is_unequal_alltoall(rule.variant) && !row.direct)) continue;
        if (named) return {};
        serving.push_back(row.name);
    }
    serving.insert(serving.end(), {Rule::previous_name, Rule::by_time_name});
    const std::string collective(rule.collective_name());
    if (rule.algorithm != nullptr) {
        return name.error(std::string(rule.algorithm->name) + " does not serve " + collective + "; expected " +
                          alternatives(serving));
    }
    return name.error("no algorithm " + in_quotes(name.text) + " for " + collective + "; " +
                      suggestion(name.text, serving));
}

Expected<void> read_tuning(const Statement& statement, Rule& rule) {
    const auto read = [&](Key key, std::int64_t most, int& number) -> Expected<void> {
        if (!statement.has(key)) return {};
        return parse_integer(statement.value(key), 1, most, key_name(key)).map([&](std::int64_t parsed) {
            number = static_cast<int>(parsed);
        });
    };
    auto done = read(Key::lanes, Preferences{}.max_lanes, rule.lanes);
    if (done) done = read(Key::segments, most_forced_segments, rule.segments);
    if (done) done = read(Key::aggregators, largest_number, rule.aggregators);
    return done;
}

Expected<Rule> read_rule(const Statement& statement) {
    Rule rule;
    rule.where = statement.word.where();
    auto done = read_collective(statement.value(Key::collective), rule);
    if (done) done = read_conditions(statement, rule);
    if (done) done = read_choice(statement.value(Key::algorithm), rule);
    if (done) done = read_tuning(statement, rule);
    RETURN_IF_ERROR(done);
    return rule;
}

Expected<Rules> read_rules(const SourceText& source) {
    Rules rules;
    for (int index = 0; index < source.lines(); ++index) {
        ASSIGN_OR_RETURN(const auto statement, parse_statement(source.line(index), rules_grammar()));
        if (index == most_rules) {
            return statement.word.error("more than " + std::to_string(most_rules) + " rules");
        }
        ASSIGN_OR_RETURN(auto rule, read_rule(statement));
        rules.push_back(std::move(rule));
    }
    return rules;
}

}  // namespace

Expected<Rules> read_rules_file(const std::string& path) {
    SourceText source("file of rules");
    RETURN_IF_ERROR(source.read_file(path));
    return read_rules(source);
}

Expected<Rules> read_rules_text(std::string_view text, const std::string& name) {
    SourceText source("file of rules");
    RETURN_IF_ERROR(source.read_text(text, name));
    return read_rules(source);
}

}  // namespace coll_topo
