// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/select/choice_text.hpp"
#include "coll_topo/select/prediction.hpp"
#include "coll_topo/select/previous_module.hpp"
#include "coll_topo/select/rule_decision.hpp"
#include "coll_topo/simulate/bounds.hpp"
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
    bool all = false;
    Format format = Format::text;
};

constexpr int smallest_exponent = 3, largest_exponent = 30;  // 8 B to 1 GiB

Cell seconds_cell(const Candidate& candidate) {
    return is_predicted(candidate) ? Cell(candidate.seconds, duration_text(candidate.seconds)) : Cell(JsonValue(), "-");
}

std::string_view kind_of(const Algorithm& algorithm) {
    if (algorithm.reference) return "reference";
    return algorithm.fixed_order && !algorithm.also_in_any_order ? "fixed order" : "own";
}

Table candidates_table(const Decision& decision) {
    Table table({{"algorithm", "algorithm"},
                 {"lanes", "lanes"},
                 {"aggregators", "aggregators"},
                 {"segments", "segments"},
                 {"seconds", "predicted"},
                 {"chosen", "chosen"},
                 {"kind", "kind"},
                 {"remark", "remark"}});
    for (int i = 0; i < static_cast<int>(decision.candidates.size()); ++i) {
        const Candidate& candidate = decision.candidates[i];
        table.add({candidate.algorithm->name, candidate.problem.lanes, candidate.problem.aggregators,
                   candidate.problem.segments, seconds_cell(candidate),
                   Cell(JsonValue(i == decision.chosen), i == decision.chosen ? "*" : " "),
                   kind_of(*candidate.algorithm), remark_on(decision, candidate)});
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

/// "allreduce of 1 MiB on 4x4 hosts, 1 rank each"
std::string title(const Scenario& scenario) {
    const Request& request = scenario.request;
    const std::string size = has_size(request.call)             ? " of " + bytes_text(request.bytes)
                             : has_unequal_pieces(request.call) ? ","
                                                                : "";
    return call_text(request, pieces_of(request.call, scenario.grid)) + size + " on " + scenario.grid.summary();
}

/// What goes ahead of the pieces of gatherv and scatterv.
std::string ahead_text(const Scenario& scenario, const Decision& decision) {
    if (decision.chosen < 0) return "";
    const Candidate& chosen = decision.candidates[decision.chosen];
    const bool may_go_directly = scenario.preferences.algorithm == nullptr;
    const SizesAhead ahead = sizes_ahead(*chosen.algorithm, scenario.grid, chosen.problem, may_go_directly);
    if (ahead.algorithm == nullptr) return "";
    const std::string room = bytes_text(static_cast<double>(ahead.room));
    if (ahead.algorithm == chosen.algorithm)
        return fmt::format(" Sizes, and pieces of up to {}, go the same way first.", room);
    return fmt::format(
        " Sizes, and pieces of up to {}, go first, by {}; longer pieces by {} if all are, but for the root's own.",
        room, ahead.algorithm->name, chosen.algorithm->name);
}

/// What does not serve alltoallv and alltoallw, and why; or what gatherv and scatterv do first; or of neighbours.
void write_indirect(const Scenario& scenario, const Decision& decision, std::ostream& out) {
    const Call call = scenario.request.call;
    if (moves_pieces(schedule_of(call))) {
        out << "\n"
            << wrapped("Only the root knows the sizes of all pieces. So the choice does not depend on sizes." +
                           ahead_text(scenario, decision),
                       0);
        return;
    }
    if (is_neighborhood(call)) {
        out << "\n"
            << wrapped("A rank knows only the sizes of its own pieces. So the choice does not depend on sizes.", 0);
        return;
    }
    std::vector<std::string_view> names;
    for (const Algorithm& row : catalogue()) {
        if (row.serves(Collective::alltoall) && !row.direct) names.push_back(row.name);
    }
    out << "\n"
        << wrapped(
               fmt::format("A rank knows only the sizes of its own pieces. So the choice does not depend on sizes, and "
                           "only algorithms that send each piece directly serve; not {}.",
                           fmt::join(names, ", ")),
               0);
}

void write_choice(const Decision& decision, std::ostream& out) {
    const std::string by_rule = decision.rule.empty() ? "" : ", by the rule at " + decision.rule;
    if (decision.chosen >= 0) {
        out << "Chosen: " << decision.candidates[decision.chosen].text() << by_rule << "\n";
    } else if (decision.previous || !by_rule.empty()) {
        out << "Left to the " << (decision.previous ? previous_text(*decision.previous) : "previous module") << by_rule
            << "\n";
    } else {
        out << "Left to the previous module: nothing here serves this, or serves it better.\n";
    }
    for (const std::string& other : decision.passed_over) out << wrapped("Not by the rule at " + other, 4);
}

simulate::Bound bound_of(const Scenario& scenario) {
    LinkGraph network(scenario.fabric);
    const Request& request = scenario.request;
    return simulate::bound(request.collective(), request.bytes, request.root, scenario.fabric, network,
                           scenario.placement, scenario.grid.cartesian());
}

void write_bound(const simulate::Bound& bound, const Decision& decision, std::ostream& out) {
    const double least = bound.seconds();
    out << fmt::format("No schedule takes less than {} ({}).", duration_text(least),
                       simulate::limit_name(bound.limit()));
    if (decision.chosen >= 0) {
        out << fmt::format(" Predicted: {:.0f} % of that speed.",
                           100 * least / decision.candidates[decision.chosen].seconds);
    }
    out << "\n";
}

void write_one(const Scenario& scenario, const ExplainOptions& options, std::ostream& out) {
    const Decision decision = examine(scenario);
    const simulate::Bound bound = bound_of(scenario);
    if (options.format == Format::csv) return candidates_table(decision).write_csv(out);
    if (options.format == Format::json) {
        JsonWriter json(out);
        begin_json(json, scenario);
        json.member("bytes", static_cast<std::int64_t>(scenario.request.bytes));
        json.member("bound_seconds", bound.seconds());
        json.member("limited_by", simulate::limit_name(bound.limit()));
        json.member("chosen", decision.chosen < 0 ? JsonValue() : JsonValue(decision.chosen));
        json.member("previous_module", previous_json(decision));
        json.member("rule", decision.rule.empty() ? JsonValue() : JsonValue(decision.rule));
        return candidates_table(decision).write_json(json, "candidates");
    }
    out << title(scenario) << "\n";
    write_choice(decision, out);
    if (has_size(scenario.request.call)) write_bound(bound, decision, out);
    out << "\n" << candidates_text(decision, options.all);
    if (has_unequal_pieces(scenario.request.call)) write_indirect(scenario, decision, out);
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

void write_sweep(const Scenario& scenario, const ExplainOptions& options, std::ostream& out) {
    if (options.format == Format::csv) return sweep_table(scenario).write_csv(out);
    if (options.format == Format::json) {
        JsonWriter json(out);
        begin_json(json, scenario);
        return sweep_table(scenario).write_json(json, "sizes");
    }
    out << call_name(scenario.request.call) << " on " << scenario.grid.summary() << "\n\n";
    if (options.all) return sweep_table(scenario).write_text(out);
    const RuleTable rules(scenario.rules, scenario.grid, scenario.request.call);
    const auto decisions =
        decide_for_sizes(all_size_classes, scenario.grid, scenario.request, scenario.preferences, rules);
    out << choices_text(scenario.request.call, decisions, Detail::runners_up);
}

Expected<int> explain(const ExplainOptions& options, const Console& console) {
    auto scenario = make_scenario(options.scenario);
    RETURN_IF_ERROR(scenario);
    if (options.sweep && !has_size(scenario->request.call)) {
        return failure("--sweep: what runs for " + std::string(call_name(scenario->request.call)) +
                       " does not depend on sizes");
    }
    write_notes(*scenario, console.notes);
    scenario->preferences.list_references = scenario->preferences.predict_all = true;
    scenario->preferences.compare_with_tuned = true;
    if (options.sweep) {
        write_sweep(*scenario, options, console.out);
    } else {
        write_one(*scenario, options, console.out);
    }
    return exit_success;
}

}  // namespace

Command explain_command() {
    const auto options = std::make_shared<ExplainOptions>();
    options->scenario.variants = true;
    Command command{{"explain",
                     "Says which algorithm is chosen for a collective operation, and why.",
                     scenario_options(options->scenario),
                     {"coll-topo explain cluster.conf --collective allreduce --bytes 1MiB",
                      "coll-topo explain cluster.conf --collective bcast --sweep"}},
                    [options](const Console& console) { return explain(*options, console); }};
    command.line.options.insert(
        command.line.options.end(),
        {{"--sweep", "", "what is chosen from which size on, up to 1 GiB, instead of for --bytes", &options->sweep},
         {"--all", "", "every candidate on a line; with --sweep every algorithm", &options->all},
         format_option(options->format)});
    return command;
}

}  // namespace coll_topo::tool
