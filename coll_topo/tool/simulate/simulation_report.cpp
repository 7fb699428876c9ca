// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/simulate/simulation_report.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/tool/simulate/simulation_drawing.hpp"
#include "coll_topo/tool/simulate/simulation_text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <string_view>

namespace coll_topo::tool {

namespace {

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

void SimulationReport::write(Format format, bool all, std::ostream& out) const {
    if (format == Format::csv) {
        case_table().write_csv(out);
    } else if (format == Format::json) {
        write_json(out);
    } else {
        write_text(all, out);
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
                 {"limited_by", "limited by"},
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
        row.push_back(Cell(one.bound.seconds(), duration_text(one.bound.seconds())));
        row.push_back(one.ran() ? Cell(one.share_of_bound(), percent_text(one.share_of_bound())) : none);
        row.push_back(Cell(simulate::limit_name(one.bound.limit())));
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
                                        {"bound_seconds", one.bound.seconds()},
                                        {"limited_by", simulate::limit_name(one.bound.limit())},
                                        {"share_of_bound", ran ? JsonValue(one.share_of_bound()) : JsonValue()},
                                        {"chosen", one.chosen},
                                        {"refusal", one.candidate.refusal},
                                        {"busiest_links", links}}));
    }
    json.end_array();
}

LinePlot SimulationReport::time_plot() const {
    LinePlot plot{fmt::format("{} on {}, simulated", collective_name(collective), machine),
                  {"size of one rank's data", "B", Scale::binary},
                  {"time", "s", Scale::decimal},
                  lines_of(cases, [](const SimulatedCase& one) { return one.seconds; })};
    Series bounds{"bound", {}};
    for (const double bytes : sizes_of(cases)) {
        bounds.points.push_back({bytes, std::ranges::find(cases, bytes, &SimulatedCase::bytes)->bound.seconds()});
    }
    plot.series.push_back(std::move(bounds));
    return plot;
}

LinePlot SimulationReport::share_plot() const {
    return {fmt::format("{} on {}, simulated", collective_name(collective), machine),
            {"size of one rank's data", "B", Scale::binary},
            {"share of the bound", "%", Scale::linear},
            lines_of(cases, [](const SimulatedCase& one) { return 100 * one.share_of_bound(); })};
}

}  // namespace coll_topo::tool
