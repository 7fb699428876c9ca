// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/import/slurm_topology.hpp"
#include "coll_topo/import/wiring.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/torus_reader.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_map>

namespace coll_topo::importing {

namespace {

std::string host_of(const SlurmNodes& nodes, const std::string& node) {
    const auto known = nodes.host_of_node.find(node);
    return known == nodes.host_of_node.end() ? node : known->second;
}

/// Makes a Wiring whose cables all lead upwards.
class Tree {
public:
    explicit Tree(const SlurmNodes& nodes) : nodes_(nodes) {}

    Expected<void> add_switch(const std::string& name, const SourceLocation& where) {
        if (const auto good = check_name({name}); !good) return failure(good.error().message, where);
        const auto [place, is_new] = switch_of_name_.try_emplace(name, static_cast<int>(wiring_.switches.size()));
        if (!is_new) {
            return failure("switch " + in_quotes(name) + " is given twice; first in line " +
                               std::to_string(where_[place->second].line),
                           where);
        }
        wiring_.switches.push_back(name);
        where_.push_back(where);
        return {};
    }

    Expected<void> add_hosts(const std::string& name, const std::vector<std::string>& nodes,
                             const SourceLocation& where) {
        const int at = switch_of_name_.at(name);
        std::set<std::string> own;
        for (const std::string& node : nodes) {
            if (!own.insert(node).second) return failure("node " + in_quotes(node) + " is given twice", where);
            const std::string host_name = host_of(nodes_, node);
            const auto [host, first] = host_of_name_.try_emplace(host_name, static_cast<int>(wiring_.hosts.size()));
            if (first) wiring_.hosts.push_back(host_name);
            wiring_.host_cables.push_back({host->second, at, 1, 0});
        }
        return {};
    }

    Expected<void> add_children(const std::string& name, const std::vector<std::string>& children,
                                const SourceLocation& where) {
        std::set<std::string> own;
        for (const std::string& child : children) {
            const auto below = switch_of_name_.find(child);
            if (below == switch_of_name_.end()) return failure("switch " + in_quotes(child) + " is not defined", where);
            if (!own.insert(child).second) return failure("switch " + in_quotes(child) + " is given twice", where);
            wiring_.switch_cables.push_back({below->second, switch_of_name_.at(name), 1, 0});
        }
        return {};
    }

    Expected<RecognisedNetwork> finish(const SourceLocation& where) {
        if (wiring_.hosts.empty()) return failure("there are no nodes", where);
        wiring_.is_directed = true;
        ASSIGN_OR_RETURN(auto network, recognise(std::move(wiring_)));
        const auto& graph = std::get<SwitchGraph>(network.fabric.network);
        const std::vector<int> cycle = find_cycle(graph);
        if (cycle.empty()) return network;
        const std::string first(graph.switches.name(graph.links[cycle[0]].from));
        return failure("switch " + in_quotes(first) + " is below itself", where_[switch_of_name_.at(first)]);
    }

    void note(const std::string& text) { add_note(wiring_.notes, text); }

private:
    const SlurmNodes& nodes_;
    Wiring wiring_;
    std::unordered_map<std::string, int> switch_of_name_, host_of_name_;
    std::vector<SourceLocation> where_;
};

Expected<RecognisedNetwork> tree_network(const SlurmTopology& topology, const SlurmNodes& nodes) {
    Tree tree(nodes);
    for (const SlurmSwitch& own : topology.switches) RETURN_IF_ERROR(tree.add_switch(own.name, own.where));
    for (const SlurmSwitch& own : topology.switches) {
        RETURN_IF_ERROR(tree.add_hosts(own.name, own.nodes, own.where));
        RETURN_IF_ERROR(tree.add_children(own.name, own.children, own.where));
    }
    return tree.finish(topology.where);
}

/// Groups of consecutive blocks, 2^n of them, are called by the first and the last: "b1..b4" (aggregated blocks in
/// src/plugins/topology/block/block_record.c).
Expected<RecognisedNetwork> block_network(const SlurmTopology& topology, const SlurmNodes& nodes) {
    Tree tree(nodes);
    struct Group {
        std::string name, first, last;
    };
    std::vector<Group> groups;
    for (const SlurmBlock& block : topology.blocks) {
        RETURN_IF_ERROR(tree.add_switch(block.name, block.where));
        RETURN_IF_ERROR(tree.add_hosts(block.name, block.nodes, block.where));
        groups.push_back({block.name, block.name, block.name});
    }
    const auto combine = [&](std::size_t size) -> Expected<void> {
        std::vector<Group> larger;
        for (std::size_t begin = 0; begin < groups.size(); begin += size) {
            const std::size_t end = std::min(begin + size, groups.size());
            Group group{"", groups[begin].first, groups[end - 1].last};
            group.name = end == begin + 1 ? groups[begin].name : group.first + ".." + group.last;
            if (end > begin + 1) {
                std::vector<std::string> below;
                for (std::size_t i = begin; i < end; ++i) below.push_back(groups[i].name);
                RETURN_IF_ERROR(tree.add_switch(group.name, topology.where));
                RETURN_IF_ERROR(tree.add_children(group.name, below, topology.where));
            }
            larger.push_back(group);
        }
        groups = std::move(larger);
        return {};
    };
    for (std::size_t i = 1; i < topology.block_sizes.size(); ++i) {
        const int ratio = topology.block_sizes[i] / topology.block_sizes[i - 1];
        if (ratio * topology.block_sizes[i - 1] != topology.block_sizes[i]) {
            return failure("BlockSizes " + std::to_string(topology.block_sizes[i]) + " is no multiple of " +
                               std::to_string(topology.block_sizes[i - 1]),
                           topology.where);
        }
        if (ratio > 1) RETURN_IF_ERROR(combine(static_cast<std::size_t>(ratio)));
    }
    if (groups.size() > 1) {
        RETURN_IF_ERROR(combine(groups.size()));
        tree.note("that all blocks are connected above is assumed");
    }
    return tree.finish(topology.where);
}

using Cells = std::vector<std::pair<std::int64_t, std::string>>;

/// Hosts at cells; each cell and each host once.
Expected<RecognisedNetwork> torus_network(Torus torus, Cells cells, const SourceLocation& where) {
    std::sort(cells.begin(), cells.end());
    NameTable hosts;
    std::vector<std::int64_t> cell_of_host;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0 && cells[i].first == cells[i - 1].first) {
            return failure("nodes " + in_quotes(cells[i - 1].second) + " and " + in_quotes(cells[i].second) +
                               " have the same place in the torus",
                           where);
        }
        if (hosts.add(cells[i].second) == NameTable::missing) {
            return failure("node " + in_quotes(cells[i].second) + " is given twice", where);
        }
        if (static_cast<std::int64_t>(cells.size()) < torus.cells()) cell_of_host.push_back(cells[i].first);
    }
    if (cells.empty()) return failure("there are no nodes", where);
    return RecognisedNetwork{Fabric{std::move(hosts), std::move(torus), std::move(cell_of_host)}, {}};
}

Torus torus_of_sizes(const std::string& name, const std::vector<int>& sizes) {
    std::vector<TorusDimension> dimensions;
    for (const int size : sizes) {
        if (size > 1 || sizes.size() == 1) {
            dimensions.push_back({size, true, default_torus_bandwidth, default_torus_latency});
        }
    }
    if (dimensions.empty()) dimensions.push_back({1, true, default_torus_bandwidth, default_torus_latency});
    return {name, std::move(dimensions), Tie::parity};
}

Expected<RecognisedNetwork> torus3d_network(const SlurmTorus& torus, const SlurmNodes& nodes) {
    const auto [x, y, z] = torus.sizes;
    if (std::int64_t{x} * y > most_names || std::int64_t{x} * y * z > most_names) {
        return failure("torus of more than " + std::to_string(most_names) + " cells", torus.where);
    }
    Cells cells;
    for (const SlurmRegion& region : torus.regions) {
        const auto& size = region.sizes;
        for (std::size_t d = 0; d < 3; ++d) {
            if (region.anchor[d] + size[d] <= torus.sizes[d]) continue;
            return failure("the region does not fit in the torus", region.where);
        }
        if (std::int64_t{size[0]} * size[1] * size[2] != static_cast<std::int64_t>(region.nodes.size())) {
            return failure(counted(static_cast<long long>(region.nodes.size()), "node", "nodes") + " for " +
                               std::to_string(std::int64_t{size[0]} * size[1] * size[2]) +
                               " cells; topology.yaml tells which are where",
                           region.where);
        }
        for (std::size_t i = 0; i < region.nodes.size(); ++i) {
            const auto at = static_cast<std::int64_t>(i);
            const std::int64_t cx = region.anchor[0] + at % size[0], cy = region.anchor[1] + at / size[0] % size[1],
                               cz = region.anchor[2] + at / (std::int64_t{size[0]} * size[1]);
            cells.emplace_back(cx + x * (cy + y * cz), host_of(nodes, region.nodes[i]));
        }
    }
    if (const auto good = check_name({torus.name}); !good) return failure(good.error().message, torus.where);
    return torus_network(torus_of_sizes(torus.name, {x, y, z}), std::move(cells), torus.where);
}

Expected<RecognisedNetwork> ring_network(const SlurmBlock& ring, const SlurmNodes& nodes) {
    if (ring.nodes.empty()) return failure("there are no nodes", ring.where);
    if (const auto good = check_name({ring.name}); !good) return failure(good.error().message, ring.where);
    Cells cells;
    for (const std::string& node : ring.nodes) cells.emplace_back(cells.size(), host_of(nodes, node));
    return torus_network(torus_of_sizes(ring.name, {static_cast<int>(ring.nodes.size())}), std::move(cells),
                         ring.where);
}

Expected<RecognisedNetwork> flat_network(const SlurmTopology& topology, const SlurmNodes& nodes) {
    if (nodes.nodes.empty()) {
        return failure("a flat topology does not say which nodes there are; --slurm-conf FILE does", topology.where);
    }
    Tree tree(nodes);
    RETURN_IF_ERROR(tree.add_switch("all", topology.where));
    RETURN_IF_ERROR(tree.add_hosts("all", nodes.nodes, topology.where));
    tree.note("a flat topology is taken for one switch that all hosts are connected to");
    return tree.finish(topology.where);
}

}  // namespace

Expected<RecognisedNetwork> network_of(const SlurmTopology& topology, const SlurmNodes& nodes) {
    if (!topology.switches.empty()) return tree_network(topology, nodes);
    if (!topology.blocks.empty()) return block_network(topology, nodes);
    const std::string several = "several networks in one topology; a topology file describes one";
    if (topology.tori.size() + topology.rings.size() > 1) return failure(several, topology.where);
    if (!topology.tori.empty()) return torus3d_network(topology.tori.front(), nodes);
    if (!topology.rings.empty()) return ring_network(topology.rings.front(), nodes);
    if (topology.is_flat) return flat_network(topology, nodes);
    return failure("the file describes no network", topology.where);
}

Expected<RecognisedNetwork> network_of_3d_torus(const SlurmNodes& nodes, const std::string& file) {
    std::array<int, 3> sizes = {1, 1, 1};
    std::vector<std::array<int, 3>> places;
    for (const std::string& node : nodes.nodes) {
        std::array<int, 3> place = {-1, -1, -1};
        for (std::size_t d = 0; d < 3 && node.size() > 3; ++d) {
            const char letter = node[node.size() - 3 + d];
            if (letter >= '0' && letter <= '9') place[d] = letter - '0';
            if (letter >= 'A' && letter <= 'Z') place[d] = letter - 'A' + 10;
            sizes[d] = std::max(sizes[d], place[d] + 1);
        }
        if (*std::min_element(place.begin(), place.end()) < 0) {
            return failure("node " + in_quotes(node) +
                               " of topology/3d_torus does not end in three coordinates, 0 to 9 "
                               "or A to Z",
                           {file, 1});
        }
        places.push_back(place);
    }
    Cells cells;
    for (std::size_t i = 0; i < places.size(); ++i) {
        cells.emplace_back(places[i][0] + sizes[0] * (places[i][1] + std::int64_t{sizes[1]} * places[i][2]),
                           host_of(nodes, nodes.nodes[i]));
    }
    return torus_network(torus_of_sizes("torus", {sizes[0], sizes[1], sizes[2]}), std::move(cells), {file, 1});
}

}  // namespace coll_topo::importing
