// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/plan/proofs.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/tool/plan/provable_schedule.hpp"
#include "coll_topo/verify/rounds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <new>
#include <utility>
#include <vector>

namespace coll_topo::tool {

namespace {

std::vector<Table::Column> columns(bool by_rules) {
    std::vector<Table::Column> all = {{"network", "network"},
                                      {"ranks", "ranks"},
                                      {"collective", "collective"},
                                      {"algorithm", "algorithm"},
                                      {"rounds", "rounds"},
                                      {"messages", "messages"},
                                      {"messages_by_round", "by round"},
                                      {"busiest_round", "busiest round"},
                                      {"busiest_link", "busiest link"},
                                      {"proved", "proved"},
                                      {"finding", "finding"}};
    if (by_rules) all.insert(all.begin() + 4, {"rule", "rule"});
    return all;
}

std::string short_list(const std::vector<int>& numbers) {
    constexpr std::size_t most = 12;
    const auto end = numbers.begin() + static_cast<std::ptrdiff_t>(std::min(most, numbers.size()));
    return fmt::format("{}{}", fmt::join(numbers.begin(), end, " "), numbers.size() > most ? " ..." : "");
}

std::string link_name(const LinkGraph& network, int index) {
    const Link& link = network.links()[index];
    return network.name(link.from) + " > " + network.name(link.to);
}

struct Examined {
    Expected<void> proof;
    std::vector<StepLoad> loads;  // by round; none where messages do not pass
};

Examined examine_schedule(const Scenario& scenario, const Candidate& candidate, LinkGraph& network) try {
    const auto schedule = build_provable_schedule(scenario, candidate, available_memory());
    if (!schedule) return {tl::unexpected<Error>(schedule.error()), {}};
    const bool in_order = candidate.algorithm->in_order(scenario.grid, candidate.problem);
    Examined examined = {
        prove(scenario.request.collective(), *schedule, in_order, candidate.problem.root, scenario.grid.cartesian()),
        {}};
    const auto rounds = find_rounds(*schedule);  // fails only where the proof does
    if (rounds) examined.loads = link_load(*rounds, *schedule, network, scenario.placement);
    return examined;
} catch (const std::bad_alloc&) {
    // Of the machine there was enough, so it is a limit of this process.
    return {tl::unexpected<Error>(out_of_memory(scenario, " (see ulimit -v)")), {}};
}

}  // namespace

Proofs::Proofs(bool by_rules) : by_rules_(by_rules), table_(columns(by_rules)) {}

void Proofs::add(const std::string& name, const Scenario& scenario, const Candidate& candidate, std::string_view rule,
                 LinkGraph& network) {
    const auto [outcome, loads] = examine_schedule(scenario, candidate, network);
    outcome ? ++proved_ : ++failed_;
    std::vector<int> messages;
    for (const StepLoad& load : loads) messages.push_back(load.messages);
    const auto busiest = std::max_element(loads.begin(), loads.end(),
                                          [](const StepLoad& a, const StepLoad& b) { return a.messages < b.messages; });
    const bool used = busiest != loads.end() && busiest->busiest_link >= 0;
    std::vector<Cell> row = {name,
                             scenario.grid.ranks(),
                             call_name(scenario.request.call),
                             candidate.text(),
                             static_cast<int>(messages.size()),
                             used ? busiest->messages : 0,
                             Cell(JsonValue(messages), short_list(messages)),
                             used ? Cell(static_cast<int>(busiest - loads.begin()) + 1) : Cell(JsonValue(), "-"),
                             used ? Cell(link_name(network, busiest->busiest_link)) : Cell(JsonValue(), "-"),
                             Cell(JsonValue(outcome.has_value()), outcome ? "yes" : "NO"),
                             outcome ? std::string() : outcome.error().text()};
    if (by_rules_) row.insert(row.begin() + 4, rule);
    table_.add(std::move(row));

    const std::string title = fmt::format("{}, {}{}{}", name, counted(scenario.grid.ranks(), "rank", "ranks"),
                                          by_rules_ ? ", by the rule at " : "", rule);
    if (groups_.empty() || groups_.back().title != title) groups_.push_back({title, {}, {}});
    groups_.back().candidates.push_back(candidate);
    groups_.back().numbers.push_back({std::string(call_name(scenario.request.call)), std::to_string(messages.size()),
                                      std::to_string(used ? busiest->messages : 0), outcome ? "yes" : "NO"});
    if (outcome) return;
    findings_.push_back(fmt::format("{}: {}, {}: {}", title, call_name(scenario.request.call), candidate.text(),
                                    outcome.error().text()));
}

void Proofs::write_short(std::ostream& out) const {
    for (const Group& group : groups_) {
        const bool aggregators =
            std::ranges::any_of(group.candidates, [](const Candidate& one) { return one.problem.aggregators > 1; });
        std::vector<TextTable::Column> columns = {{"collective"}, {"algorithm"}, {"lanes", true}};
        if (aggregators) columns.push_back({"aggregators", true});
        for (const char* const title : {"rounds", "messages"}) columns.push_back({title, true});
        columns.push_back({"proved"});
        TextTable table(std::move(columns), 2);
        for (std::size_t i = 0; i < group.candidates.size(); ++i) {
            const Candidate& one = group.candidates[i];
            const auto& numbers = group.numbers[i];
            std::vector<std::string> row = {i > 0 && group.numbers[i - 1][0] == numbers[0] ? "" : numbers[0],
                                            std::string(one.algorithm->name), std::to_string(one.problem.lanes)};
            if (aggregators) row.push_back(std::to_string(one.problem.aggregators));
            row.insert(row.end(), numbers.begin() + 1, numbers.end());
            table.add(std::move(row));
        }
        out << wrapped(group.title, 2) << table.text() << "\n";
    }
    for (const std::string& finding : findings_) out << wrapped(finding, 4);
}

void Proofs::write(std::ostream& out, Format format, bool all) const {
    if (format == Format::csv) return table_.write_csv(out);
    if (format == Format::json) {
        JsonWriter json(out);
        json.member("version", 1);
        json.member("proved", proved_);
        json.member("failed", failed_);
        return table_.write_json(json, "proofs");
    }
    if (all) {
        table_.write_text(out);
        out << "\n";
    } else {
        write_short(out);
    }
    out << fmt::format("{} proved, {} failed; messages: on the busiest link in one round\n", proved_, failed_);
}

}  // namespace coll_topo::tool
