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

/// What needs every link of the network: the drawing, and data.
Expected<void> show_links(const ShowOptions& options, const Fabric& fabric, std::ostream& out) {
    if (count_links(fabric) > most_links) {
        return failure("the network has more than " + std::to_string(most_links) +
                       " links, each direction of a cable counted; only text can be written, and no drawing");
    }
    if (options.routes && fabric.hosts.size() > most_hosts_with_routes) {
        return failure("--routes is for " + std::to_string(most_hosts_with_routes) + " hosts at most");
    }
    LinkGraph network(fabric);
    if (!options.svg.empty()) {
        RETURN_IF_ERROR(write_file(options.svg, NetworkDrawing(fabric, network).draw(fabric.summary())));
    }
    if (options.format == Format::json) {
        JsonWriter json(out);
        write_network(json, fabric, network, options.routes);
    }
    if (options.format == Format::csv) links_table(network).write_csv(out);
    return {};
}

Expected<int> show(const ShowOptions& options, const Console& console) {
    if (options.routes && options.format != Format::json) return failure("--routes needs --format json");
    const auto file = read_topology_file(options.file);
    RETURN_IF_ERROR(file);
    for (const Error& note : file->notes) console.notes << "note: " << note.text() << "\n";
    const bool text = options.format == Format::text;
    if (!text || !options.svg.empty()) {
        RETURN_IF_ERROR(show_links(options, file->fabric, console.out));
    }
    if (text) write_network_text(console.out, file->fabric);
    return exit_success;
}

}  // namespace

Command show_command() {
    const auto options = std::make_shared<ShowOptions>();
    return {{"show",
             "Shows a network as text, as a drawing, or as data.",
             {{"FILE", "", "the topology file, see coll-topo.conf(5)", &options->file, {.required = true}},
              {"--svg", "OUT", "also draws the network into this file", &options->svg},
              format_option(options->format),
              {"--routes", "", "with --format json: the route from every host to every other, too", &options->routes}},
             {"coll-topo show cluster.conf --svg cluster.svg"}},
            [options](const Console& console) { return show(*options, console); }};
}

}  // namespace coll_topo::tool
