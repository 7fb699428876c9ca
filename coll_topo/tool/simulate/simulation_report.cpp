// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/simulate/simulation_report.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/tool/simulate/simulation_drawing.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <string_view>

namespace coll_topo::tool {

namespace {

std::string percent_text(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

Table link_table(const std::vector<LinkUse>& links) {
    Table table({{"from", "from"}, {"to", "to"}, {"bytes", "carried"}, {"utilisation", "busy"}});
    for (const LinkUse& link : links) {
        table.add({link.from, link.to, Cell(JsonValue(link.bytes), bytes_text(static_cast<double>(link.bytes))),
                   Cell(link.utilisation, percent_text(link.utilisation))});
    }
    return table;
}

/// In the order in which they come up.
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

/// A line of some value over the sizes for each algorithm that ran, and rings around what the component takes.
std::vector<Series> lines_of(const std::vector<SimulatedCase>& cases, double (*value)(const SimulatedCase&)) {
    std::vector<Series> lines;
    Series choices{.name = "taken by the component", .points = {}, .rings = true};
    for (const std::string_view name : algorithms_of(cases)) {
        Series line{std::string(name), {}};
        for (const SimulatedCase& one : cases) {
            if (one.candidate.algorithm->name != name || !one.ran()) continue;
            line.points.push_back({one.bytes, value(one)});
            if (one.chosen) choices.points.push_back(line.points.back());
        }
        if (!line.points.empty()) lines.push_back(std::move(line));
    }
    if (!choices.points.empty()) lines.push_back(std::move(choices));
    return lines;
}

JsonValue link_json(const LinkUse& link) {
    return JsonValue::object(
        {{"from", link.from}, {"to", link.to}, {"bytes", link.bytes}, {"utilisation", link.utilisation}});
}

}  // namespace

std::vector<LinkUse> busiest_links(const Simulation& simulation, const LinkGraph& network, int count) {
    std::vector<int> links;
    for (int link = 0; link < static_cast<int>(simulation.link_bytes.size()); ++link) {
        if (simulation.link_bytes[link] > 0) links.push_back(link);
    }
    const auto busier = [&](int a, int b) {
        const double difference = utilisation(simulation, network, a) - utilisation(simulation, network, b);
        return difference != 0 ? difference > 0 : a < b;
    };
    const auto kept = std::min(links.size(), static_cast<std::size_t>(count));
    std::partial_sort(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(kept), links.end(), busier);
    std::vector<LinkUse> busiest;
    for (std::size_t i = 0; i < kept; ++i) {
        const Link& link = network.links()[links[i]];
        busiest.push_back({network.name(link.from), network.name(link.to), simulation.link_bytes[links[i]],
                           utilisation(simulation, network, links[i])});
    }
    return busiest;
}

void SimulationReport::write(Format format, std::ostream& out) const {
    if (format == Format::csv) {
        case_table().write_csv(out);
    } else if (format == Format::json) {
        write_json(out);
    } else {
        write_text(out);
    }
}

Table SimulationReport::case_table() const {
    Table table({{"algorithm", "algorithm"},
                 {"lanes", "lanes"},
                 {"aggregators", "aggregators"},
                 {"segments", "segments"},
                 {"bytes", "bytes"},
                 {"seconds", "time"},
                 {"predicted_seconds", "predicted"},
                 {"bound_seconds", "bound"},
                 {"share_of_bound", "share of bound"},
                 {"busiest_from", "busiest link"},
                 {"busiest_to", ""},
                 {"busiest_bytes", "carried"},
                 {"busiest_utilisation", "busy"},
                 {"chosen", "chosen"},
                 {"remark", "remark"}});
    const Cell none(JsonValue(), "-");
    for (const SimulatedCase& one : cases) {
        const Problem& problem = one.candidate.problem;
        std::vector<Cell> row = {one.candidate.algorithm->name, problem.lanes, problem.aggregators, problem.segments,
                                 Cell(JsonValue(static_cast<std::uint64_t>(one.bytes)), bytes_text(one.bytes))};
        if (one.ran()) {
            row.insert(row.end(), {Cell(one.seconds, duration_text(one.seconds)),
                                   Cell(one.candidate.seconds, duration_text(one.candidate.seconds))});
        } else {
            row.insert(row.end(), {none, none});
        }
        row.push_back(Cell(one.bound, duration_text(one.bound)));
        row.push_back(one.ran() ? Cell(one.share_of_bound(), percent_text(one.share_of_bound())) : none);
        if (one.busiest.empty()) {
            row.insert(row.end(), {none, none, none, none});
        } else {
            const LinkUse& link = one.busiest.front();
            row.insert(row.end(), {Cell(link.from), Cell(link.to),
                                   Cell(JsonValue(link.bytes), bytes_text(static_cast<double>(link.bytes))),
                                   Cell(link.utilisation, percent_text(link.utilisation))});
        }
        row.push_back(Cell(JsonValue(one.chosen), one.chosen ? "yes" : "-"));
        row.push_back(Cell(one.candidate.refusal));
        table.add(std::move(row));
    }
    return table;
}

void SimulationReport::write_json(std::ostream& out) const {
    JsonWriter json(out);
    json.member("version", 1);
    json.member("collective", collective_name(collective));
    json.member("machine", machine);
    json.member("software_costs", settings.software_costs);
    json.member("lockstep", settings.lockstep);
    json.member("sends_at_once", settings.sends_at_once);
    json.member("resolution", settings.resolution);
    json.begin_array("cases");
    for (const SimulatedCase& one : cases) {
        const Problem& problem = one.candidate.problem;
        const bool ran = one.ran();
        std::vector<JsonValue> links;
        for (const LinkUse& link : one.busiest) links.push_back(link_json(link));
        json.element(JsonValue::object({{"algorithm", one.candidate.algorithm->name},
                                        {"lanes", problem.lanes},
                                        {"aggregators", problem.aggregators},
                                        {"segments", problem.segments},
                                        {"bytes", static_cast<std::uint64_t>(one.bytes)},
                                        {"seconds", ran ? JsonValue(one.seconds) : JsonValue()},
                                        {"predicted_seconds", ran ? JsonValue(one.candidate.seconds) : JsonValue()},
                                        {"bound_seconds", one.bound},
                                        {"share_of_bound", ran ? JsonValue(one.share_of_bound()) : JsonValue()},
                                        {"chosen", one.chosen},
                                        {"refusal", one.candidate.refusal},
                                        {"busiest_links", links}}));
    }
    json.end_array();
}

void SimulationReport::write_text(std::ostream& out) const {
    out << collective_name(collective) << " on " << machine
        << (settings.software_costs ? "" : ", links only, software costs nothing")
        << (settings.lockstep ? ", steps together" : "");
    if (settings.sends_at_once > 0) out << ", at most " << settings.sends_at_once << " sends of a lane at once";
    out << "\n\n";
    case_table().write_text(out);
    if (sizes_of(cases).size() > 1 && algorithms_of(cases).size() > 1) {
        out << "\nShare of the bound; * what the component takes:\n";
        share_table().write_text(out);
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

LinePlot SimulationReport::time_plot() const {
    LinePlot plot{fmt::format("{} on {}, simulated", collective_name(collective), machine),
                  {"size of one rank's data", "B", Scale::binary},
                  {"time", "s", Scale::decimal},
                  lines_of(cases, [](const SimulatedCase& one) { return one.seconds; })};
    Series bounds{"bound of the network", {}};
    for (const double bytes : sizes_of(cases)) {
        bounds.points.push_back({bytes, std::ranges::find(cases, bytes, &SimulatedCase::bytes)->bound});
    }
    plot.series.push_back(std::move(bounds));
    return plot;
}

LinePlot SimulationReport::share_plot() const {
    return {fmt::format("{} on {}, simulated", collective_name(collective), machine),
            {"size of one rank's data", "B", Scale::binary},
            {"share of the bound of the network", "%", Scale::linear},
            lines_of(cases, [](const SimulatedCase& one) { return 100 * one.share_of_bound(); })};
}

}  // namespace coll_topo::tool
