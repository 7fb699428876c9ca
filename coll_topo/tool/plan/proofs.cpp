// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/plan/proofs.hpp"

#include "coll_topo/verify/rounds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
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

}  // namespace

Proofs::Proofs(bool by_rules) : by_rules_(by_rules), table_(columns(by_rules)) {}

void Proofs::add(const std::string& name, const Scenario& scenario, const Candidate& candidate, std::string_view rule,
                 LinkGraph& network) {
    const Schedule schedule = build_schedule(scenario, candidate);
    const bool in_order = candidate.algorithm->in_order(scenario.grid, candidate.problem);
    const auto outcome = prove(scenario.request.collective(), schedule, in_order, candidate.problem.root);
    outcome ? ++proved_ : ++failed_;
    std::vector<int> messages;
    const auto rounds = find_rounds(schedule);  // fails only where the proof does
    const auto loads = rounds ? link_load(*rounds, schedule, network, scenario.placement) : std::vector<StepLoad>();
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
}

void Proofs::write(std::ostream& out, Format format) const {
    if (format == Format::csv) return table_.write_csv(out);
    if (format == Format::json) {
        JsonWriter json(out);
        json.member("version", 1);
        json.member("proved", proved_);
        json.member("failed", failed_);
        return table_.write_json(json, "proofs");
    }
    table_.write_text(out);
    out << fmt::format("\n{} proved, {} failed; messages: on the busiest link in one round\n", proved_, failed_);
}

}  // namespace coll_topo::tool
