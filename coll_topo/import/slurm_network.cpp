// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/import/slurm_topology.hpp"
#include "coll_topo/import/wiring.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_map>

namespace coll_topo::importing {

namespace {

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
            const std::string host_name = nodes_.host_of(node);
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

Expected<RecognisedNetwork> only_network(const SlurmTopology& topology, const SlurmNodes& nodes) {
    if (!topology.switches.empty()) return tree_network(topology, nodes);
    if (!topology.blocks.empty()) return block_network(topology, nodes);
    const std::string several = "several networks in one topology; a topology file describes one";
    if (topology.tori.size() + topology.rings.size() > 1) return failure(several, topology.where);
    if (!topology.tori.empty()) return torus3d_network(topology.tori.front(), nodes);
    if (!topology.rings.empty()) return ring_network(topology.rings.front(), nodes);
    if (topology.is_flat) return flat_network(topology, nodes);
    return failure("the file describes no network", topology.where);
}

}  // namespace

Expected<RecognisedNetwork> network_of(const SlurmTopology& topology, const SlurmNodes& nodes) {
    auto network = only_network(topology, nodes);
    if (network) network->addresses = nodes.addresses;
    return network;
}

}  // namespace coll_topo::importing
