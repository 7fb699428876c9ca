// SPDX-License-Identifier: BSD-3-Clause
//
// What halving-doubling puts on the links of fat trees, under their own routing: nowhere more than on the ports of
// hosts, which carry 2m(p-1)/p bytes each.
#include "coll_topo/algorithm/catalogue.hpp"

#include "coll_topo/algorithm/stages/stages.hpp"
#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/verify/proof.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/switch_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace coll_topo::test {
namespace {

struct Machine {
    std::string name;
    Fabric fabric;
    std::vector<int> hosts;
};

std::vector<int> all_hosts(const Fabric& fabric) {
    std::vector<int> hosts;
    for (int host = 0; host < fabric.hosts.size(); ++host) hosts.push_back(host);
    return hosts;
}

// All hosts of the leaves of the grid, which follow the leaf P and the order's leaves P(c).
std::vector<int> hosts_of_grid(int order, int hosts_per_leaf) {
    std::vector<int> hosts;
    for (int leaf = 1 + order; leaf < 1 + order + order * order; ++leaf) {
        for (int host = 0; host < hosts_per_leaf; ++host) hosts.push_back(leaf * hosts_per_leaf + host);
    }
    return hosts;
}

std::vector<Machine> machines() {
    std::vector<Machine> all;
    for (const int ports : {6, 8}) {
        const Fabric fabric = full_mesh_fabric(ports);
        all.push_back({"full mesh of " + std::to_string(ports) + " ports", fabric, all_hosts(fabric)});
    }
    for (const int order : {2, 3, 4, 5, 7}) {
        const Fabric fabric = latin_square_fabric(order, order + 1);
        const std::string plane = "plane of order " + std::to_string(order);
        all.push_back({plane, fabric, all_hosts(fabric)});
        all.push_back({"grid of the " + plane, fabric, hosts_of_grid(order, order + 1)});
    }
    return all;
}

// Blocks that each directed link carries in the whole schedule, and those of the busiest link from or to a host.
struct Total {
    std::int64_t busiest_link = 0;
    std::int64_t busiest_port = 0;
};

Total total_load(const Schedule& schedule, const Fabric& fabric, const Placement& placement) {
    LinkGraph network(fabric);
    std::vector<std::int64_t> blocks(network.links().size(), 0);
    std::vector<int> route;
    for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
        for (const Action& action : schedule[rank].actions) {
            if (action.kind != ActionKind::send) continue;
            route.clear();
            network.route(placement[rank].host, placement[action.peer].host, route);
            for (const int link : route) blocks[link] += action.count;
        }
    }
    Total total;
    for (std::size_t link = 0; link < blocks.size(); ++link) {
        const bool port = std::min(network.links()[link].from, network.links()[link].to) < network.hosts();
        total.busiest_link = std::max(total.busiest_link, blocks[link]);
        if (port) total.busiest_port = std::max(total.busiest_port, blocks[link]);
    }
    return total;
}

TEST(SwitchHalvingDoubling, NoLinkCarriesMoreThanThePortOfAHost) {
    for (const Machine& machine : machines()) {
        SCOPED_TRACE(machine.name);
        const Placement placement = ranks_on(machine.hosts);
        const Grid grid = Grid::from_switches(machine.fabric, placement).value();
        const Schedule schedule = build_all(*find_algorithm("halving_doubling"), grid, {Collective::allreduce});
        const Total total = total_load(schedule, machine.fabric, placement);
        EXPECT_EQ(total.busiest_port, 2 * (grid.ranks() - 1)) << "of " << grid.ranks() << " blocks";
        EXPECT_LE(total.busiest_link, total.busiest_port);
    }
}

// The time of a step is that of its busiest link.
TEST(SwitchHalvingDoubling, NoStepHoldsUpThePorts) {
    for (const Machine& machine : machines()) {
        SCOPED_TRACE(machine.name);
        const Placement placement = ranks_on(machine.hosts);
        const Grid grid = Grid::from_switches(machine.fabric, placement).value();
        const Schedule schedule = build_all(*find_algorithm("halving_doubling"), grid, {Collective::allreduce});
        std::int64_t blocks = 0;
        for (const StepLoad& step : link_load(schedule, machine.fabric, placement)) blocks += step.blocks;
        EXPECT_EQ(blocks, 2 * (grid.ranks() - 1));
    }
}

TEST(SwitchHalvingDoubling, AnExtraHostLoadsALeafWithItsVectorOnce) {
    const Fabric fabric = latin_square_fabric(3, 4);
    std::vector<int> hosts = all_hosts(fabric);
    hosts.erase(hosts.begin() + 17);
    const Placement placement = ranks_on(hosts);
    const Grid grid = Grid::from_switches(fabric, placement).value();
    ASSERT_EQ(grid.extra_hosts(), 3) << "the others under the leaf with the hole";
    const Schedule schedule = build_all(*find_algorithm("halving_doubling"), grid, {Collective::allreduce});
    const Total total = total_load(schedule, fabric, placement);
    EXPECT_EQ(total.busiest_port, 2 * (grid.places() - 1) + grid.places() / 4)
        << "each extra gives, and later gets, a fourth of its vector at each host of the leaf";
    EXPECT_LE(total.busiest_link, total.busiest_port);
}

TEST(SwitchHalvingDoubling, HostsOfALeafBeginWithDifferentPartners) {
    const Fabric fabric = full_mesh_fabric(6);
    const Grid grid = Grid::from_switches(fabric, ranks_on_all(fabric)).value();
    const StageOrder stage_order(grid, 0);
    const Stage& corners = stage_order.stages().back();
    ASSERT_EQ(corners.radix, 4);
    std::map<int, std::vector<bool>> met;
    for (int host = 0; host < 3; ++host) {
        EXPECT_EQ(stage_order.distance(host, corners, 1), 1 + host) << "host " << host << " of the first leaf";
        for (int turn = 1; turn < corners.radix; ++turn) {
            const int partner = stage_order.distance(host, corners, turn);
            met[host].resize(corners.radix);
            EXPECT_FALSE(met[host][partner]) << "twice";
            met[host][partner] = true;
        }
        EXPECT_FALSE(met[host][0]) << "itself";
    }
}

}  // namespace
}  // namespace coll_topo::test
