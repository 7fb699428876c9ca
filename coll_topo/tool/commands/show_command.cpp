// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/network/network_drawing.hpp"
#include "coll_topo/tool/network/network_json.hpp"
#include "coll_topo/tool/network/network_text.hpp"
#include "coll_topo/tool/output/format_option.hpp"
#include "coll_topo/tool/output/output_file.hpp"
#include "coll_topo/tool/output/table.hpp"

#include <memory>
#include <string>

namespace coll_topo::tool {

namespace {

struct ShowOptions {
    std::string file;
    std::string svg;
    Format format = Format::text;
    bool routes = false;
};

constexpr std::int64_t most_links = std::int64_t{1} << 24;
constexpr int most_hosts_with_routes = 4096;

/// As many as the LinkGraph has at least.
std::int64_t count_links(const Fabric& fabric) {
    if (fabric.torus() != nullptr) return fabric.torus()->directed_links();
    std::int64_t cables = 0;
    for (const SwitchLink& link : std::get<SwitchGraph>(fabric.network).links) cables += link.count;
    return 2 * cables;
}

Table links_table(const LinkGraph& network) {
    Table table({{"from", "from"}, {"to", "to"}, {"bandwidth", "bandwidth"}, {"latency", "latency"}});
    for (const Link& link : network.links()) {
        table.add({network.name(link.from), network.name(link.to), link.bandwidth, link.latency});
    }
    return table;
}

Expected<int> show(const ShowOptions& options, const Console& console) {
    if (options.routes && options.format != Format::json) return failure("--routes needs --format json");
    const auto file = read_topology_file(options.file);
    RETURN_IF_ERROR(file);
    for (const Error& note : file->notes) console.notes << "note: " << note.text() << "\n";
    if (options.format == Format::text && options.svg.empty()) {
        write_network_text(console.out, file->fabric);
        return exit_success;
    }
    if (count_links(file->fabric) > most_links) {
        return failure("the network has more than " + std::to_string(most_links) +
                       " links, each direction of a cable counted; only text can be written, and no drawing");
    }
    if (options.routes && file->fabric.hosts.size() > most_hosts_with_routes) {
        return failure("--routes is for " + std::to_string(most_hosts_with_routes) + " hosts at most");
    }
    LinkGraph network(file->fabric);
    if (!options.svg.empty()) {
        const auto written =
            write_file(options.svg, NetworkDrawing(file->fabric, network).draw(file->fabric.summary()));
        RETURN_IF_ERROR(written);
    }
    switch (options.format) {
        case Format::text:
            write_network_text(console.out, file->fabric);
            break;
        case Format::json: {
            JsonWriter json(console.out);
            write_network(json, file->fabric, network, options.routes);
            break;
        }
        case Format::csv:
            links_table(network).write_csv(console.out);
            break;
    }
    return exit_success;
}

}  // namespace

Command show_command() {
    const auto options = std::make_shared<ShowOptions>();
    return {{"show",
             "Shows a network as text, drawing, or data.",
             {{"FILE", "", "the topology file, see coll-topo.conf(5)", &options->file, {.required = true}},
              {"--svg", "OUT", "also draw the network into this file", &options->svg},
              format_option(options->format),
              {"--routes", "", "with --format json: the route from every host to every other, too", &options->routes}}},
            [options](const Console& console) { return show(*options, console); }};
}

}  // namespace coll_topo::tool
