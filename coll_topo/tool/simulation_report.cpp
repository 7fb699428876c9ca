// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/simulation_report.hpp"

#include "coll_topo/tool/simulation_drawing.hpp"
#include "coll_topo/tool/units.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>

namespace coll_topo::tool {

namespace {

std::string percent_text(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

Table link_table(const std::vector<LinkUse>& links) {
    Table table({{"from", "from"}, {"to", "to"}, {"bytes", "carried"}, {"utilisation", "busy"}});
    for (const LinkUse& link : links) {
        table.add({link.from, link.to, Cell(Json(link.bytes), bytes_text(static_cast<double>(link.bytes))),
                   Cell(link.utilisation, percent_text(link.utilisation))});
    }
    return table;
}

Json link_json(const LinkUse& link) {
    return {{"from", link.from}, {"to", link.to}, {"bytes", link.bytes}, {"utilisation", link.utilisation}};
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
                 {"remark", "remark"}});
    const Cell none(Json(), "-");
    for (const SimulatedCase& one : cases) {
        const Problem& problem = one.candidate.problem;
        std::vector<Cell> row = {one.candidate.algorithm->name, problem.lanes, problem.aggregators, problem.segments,
                                 Cell(Json(static_cast<std::uint64_t>(one.bytes)), bytes_text(one.bytes))};
        if (one.candidate.refusal.empty()) {
            row.insert(row.end(), {Cell(one.seconds, duration_text(one.seconds)),
                                   Cell(one.candidate.seconds, duration_text(one.candidate.seconds))});
        } else {
            row.insert(row.end(), {none, none});
        }
        row.push_back(Cell(one.bound, duration_text(one.bound)));
        row.push_back(one.candidate.refusal.empty() ? Cell(one.share_of_bound(), percent_text(one.share_of_bound()))
                                                    : none);
        if (one.busiest.empty()) {
            row.insert(row.end(), {none, none, none, none});
        } else {
            const LinkUse& link = one.busiest.front();
            row.insert(row.end(), {Cell(link.from), Cell(link.to),
                                   Cell(Json(link.bytes), bytes_text(static_cast<double>(link.bytes))),
                                   Cell(link.utilisation, percent_text(link.utilisation))});
        }
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
    json.begin_array("cases");
    for (const SimulatedCase& one : cases) {
        const Problem& problem = one.candidate.problem;
        const bool ran = one.candidate.refusal.empty();
        Json object = {{"algorithm", one.candidate.algorithm->name},
                       {"lanes", problem.lanes},
                       {"aggregators", problem.aggregators},
                       {"segments", problem.segments},
                       {"bytes", static_cast<std::uint64_t>(one.bytes)},
                       {"seconds", ran ? Json(one.seconds) : Json()},
                       {"predicted_seconds", ran ? Json(one.candidate.seconds) : Json()},
                       {"bound_seconds", one.bound},
                       {"share_of_bound", ran ? Json(one.share_of_bound()) : Json()},
                       {"refusal", one.candidate.refusal},
                       {"busiest_links", Json::array()}};
        for (const LinkUse& link : one.busiest) object["busiest_links"].push_back(link_json(link));
        json.element(object);
    }
    json.end_array();
}

void SimulationReport::write_text(std::ostream& out) const {
    out << collective_name(collective) << " on " << machine
        << (settings.software_costs ? "" : ", links only, software costs nothing")
        << (settings.lockstep ? ", steps together" : "") << "\n\n";
    case_table().write_text(out);
    if (cases.size() != 1 || cases.front().busiest.empty()) return;
    out << "\nBusiest links:\n";
    link_table(cases.front().busiest).write_text(out);
}

LinePlot SimulationReport::plot() const {
    LinePlot plot{fmt::format("{} on {}, simulated", collective_name(collective), machine),
                  {"size of one rank's data", "B", Scale::binary},
                  {"time", "s", Scale::decimal},
                  {}};
    std::map<std::string, std::size_t> series_of;
    Series bounds{"bound of the network", {}};
    for (const SimulatedCase& one : cases) {
        if (std::none_of(bounds.points.begin(), bounds.points.end(),
                         [&](const Point& point) { return point.x == one.bytes; })) {
            bounds.points.push_back({one.bytes, one.bound});
        }
        if (!one.candidate.refusal.empty()) continue;
        const std::string name(one.candidate.algorithm->name);
        const auto [found, added] = series_of.emplace(name, plot.series.size());
        if (added) plot.series.push_back({name, {}});
        plot.series[found->second].points.push_back({one.bytes, one.seconds});
    }
    plot.series.push_back(std::move(bounds));
    return plot;
}

}  // namespace coll_topo::tool
