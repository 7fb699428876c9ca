// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/place/place_report.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/select/decision.hpp"

#include <fmt/format.h>

namespace coll_topo::tool {

namespace {

Cell value_cell(const std::optional<double>& value) {
    return value ? Cell(*value, fmt::format("{:.3f}", *value)) : Cell(JsonValue(), "-");
}

std::string size_text(std::int64_t bytes) {
    return bytes_text(static_cast<double>(bytes));
}

}  // namespace

std::vector<std::string> PlaceReport::host_names() const {
    std::vector<std::string> names;
    for (const HostRanks& one : hosts) names.push_back(one.host);
    return names;
}

Table PlaceReport::summary() const {
    Table table({{"job", "job"},
                 {"network", "network"},
                 {"rule", "rule"},
                 {"shape", "shape"},
                 {"value", "value"},
                 {"reason", "why"},
                 {"hosts", "hosts"},
                 {"surplus", "surplus, without ranks"}});
    const std::string job = counted(ranks, "rank", "ranks") + " on " +
                            counted(static_cast<int>(hosts.size()), "host", "hosts") + ", " +
                            std::to_string(free_hosts) + " free";
    table.add({job, network, fmt::format("{}: {}", rule->name, rule->summary), placement.shape,
               value_cell(placement.value), placement.reason, hostlist_text(host_names()),
               surplus.empty() ? "none" : hostlist_text(surplus)});
    return table;
}

Table PlaceReport::host_table() const {
    Table table({{"host", "host"}, {"first_rank", "first rank"}, {"ranks", "ranks"}});
    for (const HostRanks& one : hosts) table.add({one.host, one.first, one.count});
    return table;
}

Table PlaceReport::time_table() const {
    std::vector<Table::Column> columns = {{"placement", "expected allreduce on"}};
    for (const std::int64_t size : bytes) columns.push_back({size_text(size), size_text(size)});
    Table table(std::move(columns));
    for (const ExpectedTimes& one : expected) {
        std::vector<Cell> row = {one.placement};
        for (const double seconds : one.seconds) row.emplace_back(seconds, duration_text(seconds));
        table.add(std::move(row));
    }
    return table;
}

Table PlaceReport::passed_over_table() const {
    Table table({{"shape", "passed over"}, {"value", "value"}, {"reason", "remark"}});
    for (const PassedOver& one : placement.passed_over) table.add({one.shape, value_cell(one.value), one.reason});
    return table;
}

void PlaceReport::write_text(std::ostream& out) const {
    summary().write_record(out);
    out << "\n";
    time_table().write_text(out);
    if (placement.passed_over.empty()) return;
    out << "\n";
    passed_over_table().write_text(out);
}

void PlaceReport::write_json(std::ostream& out) const {
    JsonWriter json(out);
    json.member("version", 1);
    json.member("network", network);
    json.member("ranks", ranks);
    json.member("ranks_per_host", ranks_per_host);
    json.member("free_hosts", free_hosts);
    json.member("rule", rule->name);
    json.member("shape", placement.shape);
    json.member("value", placement.value ? JsonValue(*placement.value) : JsonValue());
    json.member("reason", placement.reason);
    host_table().write_json(json, "hosts");
    json.member("surplus", surplus);
    json.begin_array("expected");
    for (const ExpectedTimes& one : expected) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            json.element(
                JsonValue::object({{"placement", one.placement}, {"bytes", bytes[i]}, {"seconds", one.seconds[i]}}));
        }
    }
    json.end_array();
    passed_over_table().write_json(json, "passed_over");
}

void PlaceReport::write(Format format, std::ostream& out) const {
    if (format == Format::csv) return host_table().write_csv(out);
    if (format == Format::json) return write_json(out);
    write_text(out);
}

Table rule_table(const JobSite& site) {
    Table table({{"rule", "rule"}, {"suits", "suits"}, {"network", "made for"}, {"summary", "chooses"}});
    bool first = true;
    for (const PlacementRule& rule : placement_rules()) {
        const bool suits = rule.suits(site);
        table.add({rule.name,
                   Cell(JsonValue(suits), !suits  ? "no"
                                          : first ? "yes, auto"
                                                  : "yes"),
                   rule.network, rule.summary});
        if (suits) first = false;
    }
    return table;
}

}  // namespace coll_topo::tool
