// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/select/previous_module.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/output/format_option.hpp"
#include "coll_topo/tool/output/table.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace coll_topo::tool {

namespace {

struct ExplainOptions {
    ScenarioOptions scenario;
    bool sweep = false;
    Format format = Format::text;
};

constexpr int smallest_exponent = 3, largest_exponent = 30;  // 8 B to 1 GiB

/// Why a candidate is not the chosen one; "chosen" for that one.
std::string verdict(const Decision& decision, int index) {
    if (index == decision.chosen) return "chosen";
    const Candidate& candidate = decision.candidates[index];
    if (!candidate.refusal.empty()) return candidate.refusal;
    if (decision.chosen < 0 && !decision.rule.empty()) return "not as a rule says";
    const double least = (decision.chosen < 0 ? *decision.previous : decision.candidates[decision.chosen]).seconds;
    if (candidate.seconds > least) return fmt::format("{:.3g} times as long", candidate.seconds / least);
    return "not faster for the size that the choice is made for";
}

Cell seconds_cell(const Candidate& candidate) {
    return is_predicted(candidate) ? Cell(candidate.seconds, duration_text(candidate.seconds)) : Cell(JsonValue(), "-");
}

Table candidates_table(const Decision& decision) {
    Table table({{"algorithm", "algorithm"},
                 {"lanes", "lanes"},
                 {"aggregators", "aggregators"},
                 {"segments", "segments"},
                 {"seconds", "predicted"},
                 {"chosen", "chosen"},
                 {"remark", "remark"}});
    for (int i = 0; i < static_cast<int>(decision.candidates.size()); ++i) {
        const Candidate& candidate = decision.candidates[i];
        table.add({candidate.algorithm->name, candidate.problem.lanes, candidate.problem.aggregators,
                   candidate.problem.segments, seconds_cell(candidate),
                   Cell(JsonValue(i == decision.chosen), i == decision.chosen ? "*" : " "), verdict(decision, i)});
    }
    return table;
}

JsonValue previous_json(const Decision& decision) {
    if (!decision.previous) return {};
    return JsonValue::object(
        {{"algorithm", decision.previous->algorithm->name}, {"seconds", decision.previous->seconds}});
}

void begin_json(JsonWriter& json, const Scenario& scenario) {
    json.member("version", 1);
    json.member("collective", call_name(scenario.request.call));
    json.member("grid", scenario.grid.summary());
    json.member("ranks", scenario.grid.ranks());
}

std::string size_text(const Request& request) {
    if (!has_unequal_pieces(request.call)) return bytes_text(request.bytes);
    return fmt::format("any sizes, compared for {} to each rank,", bytes_text(typical_piece_bytes));
}

/// What does not serve alltoallv and alltoallw, and why.
void write_indirect(std::ostream& out) {
    std::vector<std::string_view> names;
    for (const Algorithm& row : catalogue()) {
        if (row.serves(Collective::alltoall) && !row.direct) names.push_back(row.name);
    }
    out << fmt::format(
        "A rank knows only the sizes of its own pieces, so that sizes have no part in the choice, and only algorithms\n"
        "that send each piece directly serve; not {}.\n",
        fmt::join(names, ", "));
}

void write_choice(const Decision& decision, std::ostream& out) {
    const std::string by_rule = decision.rule.empty() ? "" : ", by the rule at " + decision.rule;
    if (decision.chosen >= 0) {
        out << "Chosen: " << decision.candidates[decision.chosen].text() << by_rule << "\n";
        if (decision.previous) out << "Not the " << previous_text(*decision.previous) << "\n";
    } else if (decision.previous || !by_rule.empty()) {
        out << "Left to the " << (decision.previous ? previous_text(*decision.previous) : "previous module") << by_rule
            << "\n";
    } else {
        out << "Nothing serves this; the component would leave it to the previous module.\n";
    }
    for (const std::string& other : decision.passed_over) out << "Passed over the rule at " << other << "\n";
}

void write_one(const Scenario& scenario, Format format, std::ostream& out) {
    const Decision decision = examine(scenario);
    const Table table = candidates_table(decision);
    if (format == Format::csv) return table.write_csv(out);
    if (format == Format::json) {
        JsonWriter json(out);
        begin_json(json, scenario);
        json.member("bytes", static_cast<std::int64_t>(scenario.request.bytes));
        json.member("chosen", decision.chosen < 0 ? JsonValue() : JsonValue(decision.chosen));
        json.member("previous_module", previous_json(decision));
        json.member("rule", decision.rule.empty() ? JsonValue() : JsonValue(decision.rule));
        return table.write_json(json, "candidates");
    }
    out << call_name(scenario.request.call) << " of " << size_text(scenario.request) << " on "
        << scenario.grid.summary() << "\n\n";
    table.write_text(out);
    out << "\n";
    write_choice(decision, out);
    if (has_unequal_pieces(scenario.request.call)) write_indirect(out);
}

/// A line for each size: what is chosen, and the least time of every algorithm.
Table sweep_table(Scenario scenario) {
    std::vector<Table::Column> columns = {{"bytes", "bytes"}, {"chosen", "chosen"}, {"seconds", "predicted"}};
    std::vector<const Algorithm*> rows;
    for (const Algorithm& row : catalogue()) {
        const bool wanted = scenario.preferences.algorithm == nullptr || scenario.preferences.algorithm == &row;
        if (!row.serves(scenario.request.collective()) || !wanted) continue;
        rows.push_back(&row);
        columns.push_back({std::string(row.name), std::string(row.name)});
    }
    Table table(std::move(columns));
    for (int exponent = smallest_exponent; exponent <= largest_exponent; ++exponent) {
        scenario.request.bytes = static_cast<double>(std::int64_t{1} << exponent);
        const Decision decision = examine(scenario);
        std::vector<Cell> line = {Cell(JsonValue(std::int64_t{1} << exponent), bytes_text(scenario.request.bytes))};
        if (decision.chosen < 0) {
            const bool left = decision.previous || !decision.rule.empty();
            line.insert(line.end(), {Cell(JsonValue(), left ? "previous module" : "none"),
                                     decision.previous ? seconds_cell(*decision.previous) : Cell(JsonValue(), "-")});
        } else {
            const Candidate& chosen = decision.candidates[decision.chosen];
            line.insert(line.end(), {Cell(chosen.text()), seconds_cell(chosen)});
        }
        for (const Algorithm* const row : rows) {
            const Candidate* best = nullptr;
            for (const Candidate& candidate : decision.candidates) {
                if (candidate.algorithm != row || !is_predicted(candidate)) continue;
                if (best == nullptr || candidate.seconds < best->seconds) best = &candidate;
            }
            line.push_back(best == nullptr ? Cell(JsonValue(), "-") : seconds_cell(*best));
        }
        table.add(std::move(line));
    }
    return table;
}

void write_sweep(const Scenario& scenario, Format format, std::ostream& out) {
    const Table table = sweep_table(scenario);
    if (format == Format::csv) return table.write_csv(out);
    if (format == Format::json) {
        JsonWriter json(out);
        begin_json(json, scenario);
        return table.write_json(json, "sizes");
    }
    out << call_name(scenario.request.call) << " on " << scenario.grid.summary() << "\n\n";
    table.write_text(out);
}

Expected<int> explain(const ExplainOptions& options, const Console& console) {
    auto scenario = make_scenario(options.scenario);
    RETURN_IF_ERROR(scenario);
    if (options.sweep && !has_size(scenario->request.call)) {
        return failure("--sweep: what runs for " + std::string(call_name(scenario->request.call)) +
                       " does not depend on sizes");
    }
    write_notes(*scenario, console.notes);
    scenario->preferences.list_references = true;
    scenario->preferences.compare_with_tuned = true;
    if (options.sweep) {
        write_sweep(*scenario, options.format, console.out);
    } else {
        write_one(*scenario, options.format, console.out);
    }
    return exit_success;
}

}  // namespace

Command explain_command() {
    const auto options = std::make_shared<ExplainOptions>();
    options->scenario.variants = true;
    Command command{{"explain", "Says which algorithm is chosen for a collective operation, and why.",
                     scenario_options(options->scenario)},
                    [options](const Console& console) { return explain(*options, console); }};
    command.line.options.insert(command.line.options.end(),
                                {{"--sweep", "", "for sizes from 8 B to 1 GiB instead of --bytes", &options->sweep},
                                 format_option(options->format)});
    return command;
}

}  // namespace coll_topo::tool
