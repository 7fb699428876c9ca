// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/command.hpp"
#include "coll_topo/tool/network_json.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace coll_topo::tool {

namespace {

struct ShowOptions {
    std::string file;
    std::string format = "text";
    bool routes = false;
};

std::vector<std::pair<int, int>> all_pairs(int hosts) {
    std::vector<std::pair<int, int>> pairs;
    for (int from = 0; from < hosts; ++from) {
        for (int to = 0; to < hosts; ++to) {
            if (from != to) pairs.emplace_back(from, to);
        }
    }
    return pairs;
}

void write_json(std::ostream& out, const Fabric& fabric, LinkGraph& network, bool routes) {
    JsonWriter json(out);
    json.member("version", 1);
    json.member("name", fabric.torus() != nullptr ? fabric.torus()->name() : "");
    json.member("kind", fabric.torus() != nullptr ? "torus" : "switches");
    json.begin_array("hosts");
    for (int host = 0; host < network.hosts(); ++host) json.element(network.name(host));
    json.end_array();
    json.begin_array("vertices");
    for (int vertex = 0; vertex < network.vertices(); ++vertex) json.element(network.name(vertex));
    json.end_array();
    write_links(json, network);
    if (routes) write_routes(json, network, all_pairs(network.hosts()));
}

Expected<int> show(const ShowOptions& options, const Console& console) {
    const auto file = read_topology_file(options.file);
    if (!file) return tl::unexpected<Error>(file.error());
    LinkGraph network(file->fabric);
    if (options.format == "json") {
        write_json(console.out, file->fabric, network, options.routes);
    } else {
        console.out << file->fabric.summary() << "\n";
    }
    return exit_success;
}

}  // namespace

void add_show_command(CLI::App& program, Action& chosen) {
    const auto options = std::make_shared<ShowOptions>();
    CLI::App* const command = program.add_subcommand("show", "Shows a network.");
    command->add_option("FILE", options->file, "the topology file, see coll-topo.conf(5)")->required();
    command->add_option("--format", options->format, "text (default) or json")->check(CLI::IsMember({"text", "json"}));
    command->add_flag("--routes", options->routes, "with json: also the way from every host to every other");
    command->callback(
        [options, &chosen] { chosen = [options](const Console& console) { return show(*options, console); }; });
}

}  // namespace coll_topo::tool
