// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/select/rules_file.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/network/network_facts.hpp"
#include "coll_topo/tool/output/format_option.hpp"
#include "coll_topo/tool/output/table.hpp"
#include "coll_topo/tool/output/units.hpp"
#include "coll_topo/tool/tune/rule_text.hpp"

#include <fmt/format.h>
#include <memory>
#include <utility>
#include <vector>

namespace coll_topo::tool {

namespace {

struct CheckOptions {
    std::string file;
    std::string rules;
    Format format = Format::text;
};

Cell bandwidth_cell(const std::optional<double>& bandwidth, const std::string& remark = {}) {
    if (!bandwidth) return {JsonValue(), "not known"};
    return {*bandwidth, bandwidth_text(*bandwidth) + remark};
}

Cell injection_cell(const NetworkFacts& facts) {
    if (facts.least_injection_bandwidth == facts.most_injection_bandwidth) {
        return bandwidth_cell(facts.least_injection_bandwidth);
    }
    return bandwidth_cell(facts.least_injection_bandwidth,
                          fmt::format(" (host with the most: {})", bandwidth_text(*facts.most_injection_bandwidth)));
}

std::string bisection_remark(const Fabric& fabric) {
    return fabric.torus() != nullptr ? " (a dimension cut in half)"
                                     : " (from the first half of the hosts to the second)";
}

Cell diameter_cell(const NetworkFacts& facts) {
    if (!facts.diameter) return {JsonValue(), "none: some hosts cannot reach each other"};
    if (!facts.diameter_is_exact) {
        return {JsonValue(), fmt::format("at least {} links; too many routes to look at them all", *facts.diameter)};
    }
    return {JsonValue(*facts.diameter), fmt::format("{} links", *facts.diameter)};
}

Table summary(const Fabric& fabric, const NetworkFacts& facts) {
    std::vector<Table::Column> columns;
    std::vector<Cell> row;
    const auto add = [&](std::string key, std::string title, Cell cell) {
        columns.push_back({std::move(key), std::move(title)});
        row.push_back(std::move(cell));
    };
    add("valid", "valid", {JsonValue(true), "yes"});
    add("network", "network", fabric.summary());
    add("kind", "kind", facts.kind);
    add("hosts", "hosts", facts.hosts);
    add("switches", "switches and routers", facts.switches);
    if (facts.wiring) {
        add("leaves", "leaves: switches with hosts", facts.wiring->leaves);
        add("spines", "spines", facts.wiring->spines > 0 ? Cell(facts.wiring->spines) : Cell(JsonValue(), "none"));
        add("leaf_groups", "groups of leaves", facts.wiring->leaf_groups);
        add("levels", "levels of switches", facts.wiring->levels);
    }
    add("cables", "cables", facts.cables);
    add("bisection_bandwidth", "bisection bandwidth",
        bandwidth_cell(facts.bisection_bandwidth, bisection_remark(fabric)));
    add("injection_bandwidth", "injection bandwidth of a host", injection_cell(facts));
    add("diameter", "diameter", diameter_cell(facts));
    Table table(std::move(columns));
    table.add(std::move(row));
    return table;
}

Cell range_cell(std::string text) {
    return text.empty() ? Cell(JsonValue(), "any") : Cell(std::move(text));
}

Table rules_table(const Rules& rules) {
    Table table({{"place", "rule"},
                 {"collective", "collective"},
                 {"bytes", "bytes"},
                 {"ranks", "ranks"},
                 {"hosts", "hosts"},
                 {"ranks_per_host", "ranks per host"},
                 {"shape", "shape"},
                 {"choice", "choice"}});
    for (const Rule& rule : rules) {
        table.add({rule.place(), call_name(rule.call), range_cell(bytes_range_text(rule.bytes)),
                   range_cell(range_text(rule.ranks)), range_cell(range_text(rule.hosts)),
                   range_cell(range_text(rule.ranks_per_host)), range_cell(rule.shape), rule.choice_text()});
    }
    return table;
}

/// In the format asked for; as text and as members of a JSON object it is written as the functions do.
template <typename Text, typename Members>
void write(const Table& table, Format format, std::ostream& out, Text write_text, Members write_members) {
    if (format == Format::text) return write_text();
    if (format == Format::csv) return table.write_csv(out);
    JsonWriter json(out);
    json.member("version", 1);
    write_members(json);
}

Expected<int> check_rules(const CheckOptions& options, const Console& console) {
    const auto rules = read_rules_file(options.rules);
    RETURN_IF_ERROR(rules);
    for (const Error& remark : remarks_on(*rules)) console.notes << "note: " << remark.text() << "\n";
    const Table table = rules_table(*rules);
    const auto write_text = [&] {
        console.out << counted(static_cast<long long>(rules->size()), "rule", "rules")
                    << "; the first that matches counts\n\n";
        table.write_text(console.out);
    };
    write(table, options.format, console.out, write_text, [&](JsonWriter& json) { table.write_json(json, "rules"); });
    return exit_success;
}

Expected<int> check_topology(const CheckOptions& options, const Console& console) {
    const auto file = read_topology_file(options.file);
    RETURN_IF_ERROR(file);
    for (const Error& note : file->notes) console.notes << "note: " << note.text() << "\n";
    const NetworkFacts facts = find_facts(file->fabric);
    const Table table = summary(file->fabric, facts);
    write(
        table, options.format, console.out, [&] { table.write_record(console.out); },
        [&](JsonWriter& json) { table.write_json_record(json); });
    return exit_success;
}

Expected<int> check(const CheckOptions& options, const Console& console) {
    if (options.file.empty() == options.rules.empty()) return failure("give either FILE or --rules FILE");
    return options.rules.empty() ? check_topology(options, console) : check_rules(options, console);
}

}  // namespace

Command check_command() {
    const auto options = std::make_shared<CheckOptions>();
    return {{"check",
             "Checks a topology file and sums up its network, or checks a file of rules.",
             {{"FILE", "", "the topology file, see coll-topo.conf(5)", &options->file},
              {"--rules", "FILE", "a file of rules instead, see coll-topo-rules.conf(5)", &options->rules},
              format_option(options->format)},
             {"coll-topo check cluster.conf", "coll-topo check --rules rules.conf"}},
            [options](const Console& console) { return check(*options, console); }};
}

}  // namespace coll_topo::tool
