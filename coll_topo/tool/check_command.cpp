// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/command.hpp"
#include "coll_topo/tool/network_facts.hpp"
#include "coll_topo/tool/table.hpp"
#include "coll_topo/tool/units.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace coll_topo::tool {

namespace {

struct CheckOptions {
    std::string file;
    Format format = Format::text;
};

Cell bandwidth_cell(const std::optional<double>& bandwidth, const std::string& remark = {}) {
    if (!bandwidth) return {Json(), "not known"};
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

Table summary(const Fabric& fabric, const NetworkFacts& facts) {
    std::vector<Table::Column> columns;
    std::vector<Cell> row;
    const auto add = [&](std::string key, std::string title, Cell cell) {
        columns.push_back({std::move(key), std::move(title)});
        row.push_back(std::move(cell));
    };
    add("valid", "valid", {Json(true), "yes"});
    add("network", "network", fabric.summary());
    add("kind", "kind", facts.kind);
    add("hosts", "hosts", facts.hosts);
    add("switches", "switches and routers", facts.switches);
    if (facts.wiring) {
        add("leaves", "leaves: switches with hosts", facts.wiring->leaves);
        add("spines", "spines", facts.wiring->spines > 0 ? Cell(facts.wiring->spines) : Cell(Json(), "none"));
        add("leaf_groups", "groups of leaves", facts.wiring->leaf_groups);
        add("levels", "levels of switches", facts.wiring->levels);
    }
    add("cables", "cables", facts.cables);
    add("bisection_bandwidth", "bisection bandwidth",
        bandwidth_cell(facts.bisection_bandwidth, bisection_remark(fabric)));
    add("injection_bandwidth", "injection bandwidth of a host", injection_cell(facts));
    add("diameter", "diameter",
        facts.diameter ? Cell{Json(*facts.diameter), fmt::format("{} links", *facts.diameter)}
                       : Cell{Json(), "none: some hosts cannot reach each other"});
    Table table(std::move(columns));
    table.add(std::move(row));
    return table;
}

Expected<int> check(const CheckOptions& options, const Console& console) {
    const auto file = read_topology_file(options.file);
    if (!file) return tl::unexpected<Error>(file.error());
    for (const Error& note : file->notes) console.notes << "note: " << note.text() << "\n";
    LinkGraph network(file->fabric);
    const NetworkFacts facts = find_facts(file->fabric, network);
    const Table table = summary(file->fabric, facts);
    switch (options.format) {
        case Format::text:
            table.write_record(console.out);
            break;
        case Format::csv:
            table.write_csv(console.out);
            break;
        case Format::json: {
            JsonWriter json(console.out);
            json.member("version", 1);
            table.write_json_record(json);
        }
    }
    return exit_success;
}

}  // namespace

void add_check_command(CLI::App& program, Action& chosen) {
    const auto options = std::make_shared<CheckOptions>();
    CLI::App* const command = program.add_subcommand("check", "Checks a topology file, and sums up its network.");
    command->add_option("FILE", options->file, "the topology file, see coll-topo.conf(5)")->required();
    add_format_option(*command, options->format);
    command->callback(
        [options, &chosen] { chosen = [options](const Console& console) { return check(*options, console); }; });
}

}  // namespace coll_topo::tool
