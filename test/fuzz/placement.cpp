// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/engine.h"
#include "test/fuzz/byte_source.hpp"
#include "test/fuzz/readers.hpp"

#include "coll_topo/engine/topology.hpp"
#include "coll_topo/grid/grid.hpp"
#include "coll_topo/input/topology_file.hpp"

#include <array>
#include <memory>
#include <vector>

namespace coll_topo::fuzz {

namespace {

constexpr std::size_t most_ranks = 32;

const coll_topo_topology& network(int number) {
    const auto read = [](std::string_view text) {
        auto file = read_topology_text(text, "fixed.conf");
        return coll_topo_topology{std::move(file.value().fabric), "fixed", {}, {}};
    };
    static const coll_topo_topology networks[] = {
        read("TorusName=t Dims=4x4 Nodes=n[0-15] Bandwidth=1GB/s"),
        read("TorusName=t Dims=3x2x3 Wrap=yny Nodes=n[0-17] Bandwidth=1GB/s"),
        read("SwitchName=a Nodes=n[0-4]\nSwitchName=b Nodes=n[5-8]\nSwitchName=c Nodes=n[9-15]\n"
             "Link From=a,b,c To=s[1-2] Bandwidth=1GB/s"),
        read("LatinSquareName=q Order=3 HostsPerLeaf=1 Nodes=n[0-12]"),
    };
    return networks[number];
}

std::string complaint_about(const Grid& grid, std::size_t ranks) {
    if (grid.ranks() != static_cast<int>(ranks)) return "other ranks than were placed";
    if (grid.places() < 1 || grid.places() > grid.hosts()) return "more places than hosts";
    int product = 1;
    for (const Axis& axis : grid.axes()) product *= axis.size;
    if (product != grid.places()) return "other places than the axes have";
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        if (grid.ranks_of_host(grid.host(rank))[grid.local_rank(rank)] != rank) return "a rank that is not on its host";
    }
    const int aggregators = grid.natural_aggregators();
    if (aggregators < 1 || aggregators > grid.fewest_ranks_per_host()) return "aggregators that are not there";
    for (int host = 0; host < grid.hosts(); ++host) {
        for (int number = 0; number < aggregators; ++number) {
            const int rank = grid.aggregator_rank(host, number, aggregators);
            if (grid.aggregator_number(rank, aggregators) != number) return "an aggregator with two numbers";
        }
    }
    return grid.summary().empty() ? "no summary" : "";
}

/// Asks for plans, as a call does.
void ask_for_plans(coll_topo_communicator* communicator, int ranks, ByteSource& source) {
    for (int call = 0; call < COLL_TOPO_SERVED; ++call) {
        const char* explanation = nullptr;
        coll_topo_plan* plan = nullptr;
        const auto bytes = std::size_t{1} << source.between(0, 40);
        coll_topo_least_bytes(communicator, call);
        coll_topo_choose(communicator, call, bytes, source.between(0, ranks - 1), 1, &explanation, &plan);
    }
}

}  // namespace

/// What peers publish about where they are, taken as they sent it.
std::string placement_complaint(std::string_view bytes) {
    ByteSource source(bytes);
    const coll_topo_topology& topology = network(source.between(0, 3));
    const bool plans = source.between(0, 7) == 7;
    std::vector<coll_topo_location> locations;
    Placement placement;
    while (!source.empty() && locations.size() < most_ranks) {
        const auto at = source.take<coll_topo_location>();
        locations.push_back(at);
        placement.push_back({at.host, at.package, at.numa, at.l3, at.core});
    }
    const auto ranks = static_cast<int>(locations.size());
    const auto grid = Grid::from_fabric(topology.fabric, placement);
    if (grid) {
        if (std::string wrong = complaint_about(*grid, placement.size()); !wrong.empty()) return wrong;
    }
    coll_topo_settings settings{};
    for (int& algorithm : settings.algorithm) algorithm = -1;
    coll_topo_communicator* created = nullptr;
    std::array<char, 200> message{};
    const int error = coll_topo_communicator_create(&topology, locations.data(), ranks, 0, &settings, &created,
                                                    message.data(), message.size());
    const std::unique_ptr<coll_topo_communicator, decltype(&coll_topo_communicator_free)> communicator(
        created, coll_topo_communicator_free);
    if ((error == 0) != grid.has_value()) return "a communicator without a grid, or a grid without one";
    if (error != 0) return message[0] == '\0' ? "an error without a message" : "";
    if (plans) ask_for_plans(created, ranks, source);
    return {};
}

}  // namespace coll_topo::fuzz
