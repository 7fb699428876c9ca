// SPDX-License-Identifier: BSD-3-Clause
// What a report says to people.
#include "coll_topo/tool/simulate/simulation_text.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/select/choice_text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>

namespace coll_topo::tool {

namespace {

Table link_table(const std::vector<LinkUse>& links) {
    Table table({{"from", "from"}, {"to", "to"}, {"bytes", "carried"}, {"utilisation", "busy"}});
    for (const LinkUse& link : links) {
        table.add({link.from, link.to, Cell(JsonValue(link.bytes), bytes_text(static_cast<double>(link.bytes))),
                   Cell(link.utilisation, percent_text(link.utilisation))});
    }
    return table;
}

/// A row of the short table, with the seconds of the fastest of its size.
struct Shown {
    const SimulatedCase* one;
    double fastest;
};

/// Of each size the fastest and what the component takes; counts those that are left out.
std::vector<Shown> fastest_of(const std::vector<SimulatedCase>& cases, std::size_t& left_out) {
    constexpr std::size_t most = 5;  // of one size
    std::vector<Shown> shown;
    for (const double bytes : sizes_of(cases)) {
        std::vector<const SimulatedCase*> of_size;
        for (const SimulatedCase& one : cases) {
            if (one.bytes == bytes && one.ran()) of_size.push_back(&one);
        }
        std::ranges::stable_sort(of_size, {}, &SimulatedCase::seconds);
        for (std::size_t place = 0; place < of_size.size(); ++place) {
            const bool wanted = place < most || of_size[place]->chosen;
            if (wanted) shown.push_back({of_size[place], of_size.front()->seconds});
            left_out += wanted ? 0 : 1;
        }
    }
    return shown;
}

Table short_table(const std::vector<Shown>& shown) {
    const auto differs = [&](int Problem::*number) {
        return std::ranges::any_of(shown, [&](const Shown& row) { return row.one->candidate.problem.*number > 1; });
    };
    const bool aggregators = differs(&Problem::aggregators), segments = differs(&Problem::segments);
    std::vector<Table::Column> columns = {{"bytes", "bytes"}, {"algorithm", "algorithm"}, {"lanes", "lanes"}};
    if (aggregators) columns.push_back({"aggregators", "aggregators"});
    if (segments) columns.push_back({"segments", "segments"});
    for (const char* const title : {"time", "predicted", "bound", "of bound", "limited by", ""})
        columns.push_back({title, title});
    Table table(std::move(columns));
    double last = -1;
    for (const auto& [one, fastest] : shown) {
        const Problem& problem = one->candidate.problem;
        std::vector<Cell> row = {Cell(JsonValue(), one->bytes != last ? bytes_text(one->bytes) : " "),
                                 Cell(std::string(one->candidate.algorithm->name) + (one->chosen ? " *" : "")),
                                 problem.lanes};
        last = one->bytes;
        if (aggregators) row.emplace_back(problem.aggregators);
        if (segments) row.emplace_back(problem.segments);
        row.insert(row.end(), {Cell(one->seconds, duration_text(one->seconds)),
                               Cell(one->candidate.seconds, duration_text(one->candidate.seconds)),
                               Cell(one->bound.seconds(), duration_text(one->bound.seconds())),
                               Cell(one->share_of_bound(), percent_text(one->share_of_bound())),
                               Cell(simulate::limit_name(one->bound.limit())),
                               Cell(one->seconds > fastest ? compared_text(one->seconds, fastest) : "")});
        table.add(std::move(row));
    }
    return table;
}

}  // namespace

std::string percent_text(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

std::vector<double> sizes_of(const std::vector<SimulatedCase>& cases) {
    std::vector<double> sizes;
    for (const SimulatedCase& one : cases) {
        if (std::ranges::find(sizes, one.bytes) == sizes.end()) sizes.push_back(one.bytes);
    }
    return sizes;
}

std::vector<std::string_view> algorithms_of(const std::vector<SimulatedCase>& cases) {
    std::vector<std::string_view> names;
    for (const SimulatedCase& one : cases) {
        if (std::ranges::find(names, one.candidate.algorithm->name) == names.end()) {
            names.push_back(one.candidate.algorithm->name);
        }
    }
    return names;
}

void SimulationReport::write_fastest(std::ostream& out) const {
    std::size_t left_out = 0;
    const std::vector<Shown> shown = fastest_of(cases, left_out);
    if (!shown.empty()) short_table(shown).write_text(out);
    if (cases.size() > 1 && std::ranges::any_of(cases, &SimulatedCase::chosen)) {
        out << "\n* what the component takes\n";
    }
    if (left_out > 0) out << left_out << " slower ones are not shown; --all shows everything.\n";
    std::vector<Candidate> refused;
    for (const SimulatedCase& one : cases) {
        if (!one.ran()) refused.push_back(one.candidate);
    }
    if (!refused.empty()) out << "\n" << wrapped("Not simulated: " + refused_text(refused), 4);
}

void SimulationReport::write_text(bool all, std::ostream& out) const {
    out << collective_name(collective) << " on " << machine
        << (settings.software_costs ? "" : ", links only, software costs nothing")
        << (settings.lockstep ? ", steps together" : "");
    if (settings.sends_at_once > 0) out << ", at most " << settings.sends_at_once << " sends of a lane at once";
    out << "\n\n";
    if (!all) {
        write_fastest(out);
    } else {
        case_table().write_text(out);
        if (sizes_of(cases).size() > 1 && algorithms_of(cases).size() > 1) {
            out << "\nShare of the bound; * what the component takes:\n";
            share_table().write_text(out);
        }
    }
    if (cases.size() != 1 || cases.front().busiest.empty()) return;
    out << "\nBusiest links:\n";
    link_table(cases.front().busiest).write_text(out);
}

/// Sizes down, algorithms across, and how far the component's choice is behind the fastest of them.
Table SimulationReport::share_table() const {
    const auto algorithms = algorithms_of(cases);
    std::vector<Table::Column> columns = {{"bytes", "bytes"}};
    for (const std::string_view name : algorithms) columns.push_back({std::string(name), std::string(name)});
    columns.push_back({"behind", "choice behind the fastest"});
    Table table(std::move(columns));
    for (const double bytes : sizes_of(cases)) {
        std::vector<Cell> row(algorithms.size() + 2, Cell("-"));
        row.front() = Cell(bytes, bytes_text(bytes));
        double chosen = 0, fastest = std::numeric_limits<double>::infinity();
        for (const SimulatedCase& one : cases) {
            if (one.bytes != bytes || !one.ran()) continue;
            const auto column = std::ranges::find(algorithms, one.candidate.algorithm->name) - algorithms.begin();
            row[column + 1] =
                Cell(one.share_of_bound(), percent_text(one.share_of_bound()) + (one.chosen ? " *" : "  "));
            fastest = std::min(fastest, one.seconds);
            if (one.chosen) chosen = one.seconds;
        }
        if (chosen > 0) row.back() = Cell(chosen / fastest - 1, percent_text(chosen / fastest - 1));
        table.add(std::move(row));
    }
    return table;
}

}  // namespace coll_topo::tool
