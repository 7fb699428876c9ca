// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/engine.h"
#include "coll_topo/engine/guard.hpp"
#include "coll_topo/engine/topology.hpp"
#include "coll_topo/input/slurm_address.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace coll_topo;

namespace {

/// "PATTERN ADDRESS", as processes publish it.
Expected<SlurmAddress> parse_published(std::string_view text) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    return parse_slurm_address(text.substr(std::min(blank + 1, text.size())), text.substr(0, blank));
}

/// A node, and the host of the first rank that named it.
struct Node {
    SlurmAddress address;
    std::string_view host_name;
    int number = 0;
};

/// The nodes of some ranks, in an order that does not depend on that of the ranks: n2 before n10.
class Nodes {
public:
    Expected<void> add(std::string_view published, std::string_view host_name) {
        const auto [place, is_new] = node_of_text_.try_emplace(published, static_cast<int>(nodes_.size()));
        if (is_new) {
            auto address = parse_published(published);
            if (!address) return failure(address.error().message);
            nodes_.push_back({*std::move(address), host_name});
        }
        node_of_rank_.push_back(place->second);
        const Node& node = nodes_[place->second];
        if (node.host_name == host_name) return {};
        return failure("the ranks on " + std::string(node.host_name) + " and on " + std::string(host_name) +
                       " have the same SLURM_TOPOLOGY_ADDR, " + in_quotes(node.address.node) +
                       "; start them with srun, which sets it on each host");
    }

    Expected<Fabric> tree(int32_t* hosts) {
        std::vector<Node*> sorted;
        for (Node& node : nodes_) sorted.push_back(&node);
        std::sort(sorted.begin(), sorted.end(), [](const Node* a, const Node* b) {
            const std::string &x = a->address.node, &y = b->address.node;
            return std::pair(x.size(), std::string_view(x)) < std::pair(y.size(), std::string_view(y));
        });
        std::vector<SlurmAddress> addresses;
        for (Node* const node : sorted) {
            node->number = static_cast<int>(addresses.size());
            addresses.push_back(node->address);
        }
        for (std::size_t rank = 0; rank < node_of_rank_.size(); ++rank)
            hosts[rank] = nodes_[node_of_rank_[rank]].number;
        return tree_of_addresses(addresses);
    }

private:
    std::vector<Node> nodes_;
    std::unordered_map<std::string_view, int> node_of_text_;
    std::vector<int> node_of_rank_;
};

}  // namespace

int coll_topo_slurm_address(const char* pattern, const char* address, char* text, size_t size) {
    return guarded(text, size, [&] {
        if (pattern == nullptr || address == nullptr) {
            write_message(std::string(address == nullptr ? "SLURM_TOPOLOGY_ADDR" : "SLURM_TOPOLOGY_ADDR_PATTERN") +
                              " is not set; Slurm sets it in the tasks that srun starts, if it has a topology",
                          text, size);
            return static_cast<int>(COLL_TOPO_FAILED);
        }
        const std::string published = std::string(pattern) + ' ' + address;
        const auto parsed = parse_published(published);
        const bool fits = published.size() < size;
        write_message(!parsed ? parsed.error().message
                      : fits  ? published
                              : "SLURM_TOPOLOGY_ADDR is too long",
                      text, size);
        return static_cast<int>(parsed && fits ? COLL_TOPO_OK : COLL_TOPO_FAILED);
    });
}

int coll_topo_topology_of_slurm(const char* const* addresses, const char* const* host_names, int ranks,
                                coll_topo_topology** topology, int32_t* hosts, char* message, size_t message_size) {
    *topology = nullptr;
    return guarded_planning(message, message_size, [&] {
        Nodes nodes;
        for (int rank = 0; rank < ranks; ++rank) {
            if (const auto added = nodes.add(addresses[rank], host_names[rank]); !added) {
                write_message(added.error().message, message, message_size);
                return static_cast<int>(COLL_TOPO_FAILED);
            }
        }
        auto fabric = nodes.tree(hosts);
        if (!fabric) {
            write_message(fabric.error().message, message, message_size);
            return static_cast<int>(COLL_TOPO_FAILED);
        }
        std::string summary = fabric->summary();
        assume_bandwidth(*fabric);
        *topology = new coll_topo_topology{*std::move(fabric), std::move(summary), {}, {}};
        return static_cast<int>(COLL_TOPO_OK);
    });
}
