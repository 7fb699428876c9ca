// SPDX-License-Identifier: BSD-3-Clause
//
// What is special about A2AT; the proof grids show that it moves all data on any machine.

#include "coll_topo/algorithm/alltoall/leaf_order.hpp"
#include "coll_topo/algorithm/alltoall/offset_order.hpp"
#include "coll_topo/algorithm/alltoall/spine_order.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/machine.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/switch_fixture.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace coll_topo::test {
namespace {

const Algorithm& a2at() {
    return *find_algorithm("a2at");
}

Schedule schedule_on(const Grid& grid) {
    return build_all(a2at(), grid, {Collective::alltoall});
}

std::vector<Action> transfers(const Program& program, const Step& step) {
    std::vector<Action> found;
    for (const Action& action : program.actions_of(step)) {
        if (is_transfer(action)) found.push_back(action);
    }
    return found;
}

TEST(A2at, SendsOneMessageEachWayInAStep) {
    const Machine machine = make_machine({{4, 3}}, equal_ranks_per_host({{4, 3}}, 3), RankOrder::shuffled);
    const Grid grid = Grid::from_torus(machine.fabric, machine.placement).value();
    for (const Program& program : schedule_on(grid)) {
        ASSERT_EQ(program.lanes.size(), 1u);
        EXPECT_EQ(program.scratch_blocks, 0) << "data go directly to their place";
        EXPECT_EQ(static_cast<int>(program.steps.size()), machine.ranks()) << "its own piece, and each other rank's";
        for (const Step& step : program.steps_of(program.lanes[0])) {
            const auto messages = transfers(program, step);
            EXPECT_LE(std::ranges::count_if(messages, is_send), 1);
            EXPECT_LE(std::ranges::count_if(messages, is_receive), 1);
        }
    }
}

TEST(A2at, TheOrderNeedsTwoMessagesInFlightForEachDimensionOfATorus) {
    const auto needed = [](const Grid& grid) { return OffsetOrder(grid.cells()->part()).window(); };
    EXPECT_EQ(needed(full_grid({4, 4})), 4);
    EXPECT_EQ(needed(full_grid({3, 5})), 4);
    EXPECT_EQ(needed(full_grid({4, 4, 4})), 6);
    EXPECT_EQ(needed(full_grid({3, 3}, 1, false)), 2);
}

// No more steps are in flight than the window allows, and ranks that are a window ahead find receives posted.
TEST(A2at, KeepsToItsWindow) {
    const Program program = schedule_on(full_grid({8, 8}))[5];
    EXPECT_EQ(program.lanes[0].window, 16);
    for (const Step& step : program.steps) EXPECT_LT(step.passes_sends, 16);
    EXPECT_EQ(program.steps.back().passes_sends, 15);
    EXPECT_EQ(program.steps.back().receives_ahead, 31);
}

TEST(A2at, QueuesFewMessagesBelowLeavesThatAreNotTapered) {
    const auto window = [](int cables, const std::string& latency) {
        const auto file = read_topology_text(
            "SwitchName=a Nodes=n[0-3]\nSwitchName=b Nodes=n[4-7]\nLink From=a,b To=s Count=" + std::to_string(cables) +
                " Bandwidth=10GB/s Latency=0.1us\nHostLink Bandwidth=10GB/s Latency=" + latency +
                "\nMachine MessageTime=1us\n",
            "test.conf");
        const Grid grid = Grid::from_fabric(file->fabric, ranks_on_all(file->fabric, 1)).value();
        return schedule_on(grid)[0].lanes[0].window;
    };
    EXPECT_EQ(window(4, "0.5us"), 4);
    EXPECT_EQ(window(2, "0.5us"), 16) << "uplinks must not idle";
    EXPECT_EQ(window(4, "3us"), 6) << "so many start while one is on its way";
}

// The first operands come early, and are combined while others travel; memory for those of a step is limited.
TEST(A2at, FewOperandsAreUnderWayAtOnce) {
    const auto program_of = [](Collective collective, const Grid& grid) {
        return build_all(a2at(), grid, {collective})[3];
    };
    const Program scatter = program_of(Collective::reduce_scatter, full_grid({10, 10}));
    EXPECT_EQ(scatter.lanes[0].sends_at_once, 4);
    int most = 0, all = 0;
    for (const Step& step : scatter.steps) {
        const auto messages = transfers(scatter, step);
        const auto operands = static_cast<int>(std::ranges::count_if(messages, is_receive));
        EXPECT_EQ(std::ranges::count_if(messages, is_send), operands);
        most = std::max(most, operands);
        all += operands;
    }
    EXPECT_EQ(all, 99);
    EXPECT_EQ(most, 64);
    EXPECT_EQ(program_of(Collective::allreduce, full_grid({10, 10})).lanes[0].sends_at_once, 8);
    EXPECT_EQ(program_of(Collective::allreduce, full_grid({10, 10})).scratch_blocks, 0) << "pieces stay in their place";
}

// All ranks send to the same offset in a step, so that the steps in flight together are those of the order.
TEST(A2at, EveryRankOfATorusSendsToTheSameOffset) {
    const Grid grid = full_grid({5, 4});
    const Schedule schedule = schedule_on(grid);
    const HostCells& cells = *grid.cells();
    for (std::size_t step = 1; step < schedule[0].steps.size(); ++step) {
        std::set<std::int64_t> offsets;
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Program& program = schedule[rank];
            for (const Action& action : transfers(program, program.steps[step])) {
                const int from = is_send(action) ? rank : action.peer, to = is_send(action) ? action.peer : rank;
                offsets.insert(cells.behind(cells.cell(grid.host(to)), cells.cell(grid.host(from))));
            }
        }
        EXPECT_EQ(offsets.size(), 1u) << "step " << step;
    }
}

// Ranks on half a ring are a mesh: no message leaves it, and the steps are the offsets on it.
TEST(A2at, RanksOnAPartOfATorusExchangeOnThatPart) {
    const Fabric fabric = equal_torus({8, 8});
    std::vector<int> hosts;
    for (int y = 6; y < 9; ++y) {
        for (int x = 2; x < 5; ++x) hosts.push_back(x + y % 8 * 8);
    }
    const Grid grid = Grid::from_torus(fabric, ranks_on(hosts)).value();
    const Schedule schedule = schedule_on(grid);
    EXPECT_TRUE(prove(Collective::alltoall, schedule));
    EXPECT_EQ(schedule[0].steps.size(), 9u);
    EXPECT_EQ(OffsetOrder(grid.cells()->part()).window(), 2) << "as on a mesh";
}

TEST(A2at, LoadsNoLinkOfARingTwiceInAStep) {
    const Fabric fabric = equal_torus({7});
    const Placement placement = ranks_on_all(fabric);
    const Schedule schedule = schedule_on(Grid::from_torus(fabric, placement).value());
    int total = 0;
    for (const StepLoad& load : link_load(schedule, fabric, placement)) total += load.messages;
    // 1 + 1 + 2 + 2 + 3 + 3 messages, half of them each way: 6 on every link of the whole exchange.
    EXPECT_EQ(total, 12);
}

// With as many spines as a leaf has hosts, routed by destination, a rotation has no contention.
TEST(A2at, RotationsThroughAFatTreeHaveNoContention) {
    SwitchGraph graph;
    for (int leaf = 0; leaf < 3; ++leaf) graph.switches.add("leaf" + std::to_string(leaf));
    for (int spine = 0; spine < 2; ++spine) graph.switches.add("spine" + std::to_string(spine));
    for (int leaf = 0; leaf < 3; ++leaf) {
        graph.leaf_of_host.insert(graph.leaf_of_host.end(), 2, leaf);
        for (int spine = 3; spine < 5; ++spine) {
            SwitchLink link = cable;
            link.from = leaf;
            link.to = spine;
            graph.links.push_back(link);
        }
    }
    const Fabric fabric = fabric_of(std::move(graph));
    const Placement placement = ranks_on_all(fabric);
    const Schedule schedule = schedule_on(Grid::from_switches(fabric, placement).value());
    EXPECT_TRUE(prove(Collective::alltoall, schedule));
    for (const StepLoad& load : link_load(schedule, fabric, placement)) EXPECT_LE(load.messages, 1);
}

// Where two leaves share one spine, hosts of a leaf send to different leaves at a time.
TEST(A2at, HostsOfALeafSendToDifferentLeavesWhereWaysAreNarrow) {
    const Fabric fabric = mesh_of_36_hosts();
    const Grid grid = Grid::from_switches(fabric, ranks_on_all(fabric)).value();
    const LeafOrder order(grid);
    ASSERT_EQ(order.steps(), 36);
    for (int step = 0; step < order.steps(); ++step) {
        std::set<int> targets;
        std::set<std::pair<int, int>> ways;
        for (int host = 0; host < grid.hosts(); ++host) {
            targets.insert(order.to(host, step));
            EXPECT_EQ(order.from(order.to(host, step), step), host);
            ways.emplace(grid.leaves().leaf(host), grid.leaves().leaf(order.to(host, step)));
        }
        EXPECT_EQ(targets.size(), 36u) << "a permutation";
        EXPECT_EQ(ways.size(), 36u) << "no two from one leaf to the same";
    }
    EXPECT_TRUE(prove(Collective::alltoall, schedule_on(grid)));
}

// Where all of them share the same few cables up, they go to one leaf together, each to a host of its own.
TEST(A2at, HostsOfALeafSendToOneLeafThroughSharedCables) {
    const std::string tree =
        "SwitchName=l1 Nodes=a[0-3]\nSwitchName=l2 Nodes=b[0-3]\nSwitchName=l3 Nodes=c[0-3]\n"
        "Link From=l[1-3] To=s1 Bandwidth=25GB/s Latency=0.2us\nHostLink Bandwidth=25GB/s Latency=0.3us\n";
    const auto file = read_topology_text(tree, "test.conf");
    ASSERT_TRUE(file) << file.error().text();
    const Grid grid = Grid::from_fabric(file->fabric, ranks_on_all(file->fabric)).value();
    const LeafOrder order(grid);
    for (int step = 0; step < order.steps(); ++step) {
        std::set<int> targets;
        std::set<std::pair<int, int>> ways;
        for (int host = 0; host < grid.hosts(); ++host) {
            targets.insert(order.to(host, step));
            ways.emplace(grid.leaves().leaf(host), grid.leaves().leaf(order.to(host, step)));
        }
        EXPECT_EQ(targets.size(), 12u) << "a permutation";
        EXPECT_EQ(ways.size(), 3u) << "one for each leaf";
    }
}

// In every step every cable of the plane carries one message each way.
TEST(A2at, UsesAllCablesOfAProjectivePlane) {
    for (const int order : {2, 3, 4, 5}) {
        const Fabric fabric = latin_square_fabric(order, order + 1);
        const Placement placement = ranks_on_all(fabric);
        const Schedule schedule = schedule_on(Grid::from_switches(fabric, placement).value());
        const auto loads = link_load(schedule, fabric, placement);
        const int hosts = (order * order + order + 1) * (order + 1);
        EXPECT_EQ(static_cast<int>(loads.size()), hosts) << "its own piece, and each other host's";
        for (const StepLoad& load : loads) EXPECT_LE(load.messages, 1) << "order " << order;
    }
}

// Leaves of any number of hosts, more than they have cables too, and some of the leaves only.
TEST(SpineOrder, EveryHostMeetsEachOtherOnce) {
    for (const int hosts_per_leaf : {1, 2, 5}) {
        const Fabric fabric = latin_square_fabric(2, hosts_per_leaf);
        for (const int left_out : {0, 1, 3, 5}) {
            std::vector<int> hosts;
            for (int host = left_out; host < fabric.hosts.size(); ++host) hosts.push_back(host);
            const Grid grid = Grid::from_switches(fabric, ranks_on(hosts)).value();
            ASSERT_FALSE(grid.leaves().lines.empty());
            const SpineOrder order(grid);
            std::vector<int> met(static_cast<std::size_t>(grid.hosts()) * grid.hosts(), 0);
            for (int step = 0; step < order.steps(); ++step) {
                for (int host = 0; host < grid.hosts(); ++host) {
                    const int to = order.to(host, step);
                    if (to < 0) continue;
                    EXPECT_EQ(order.from(to, step), host);
                    ++met[static_cast<std::size_t>(host) * grid.hosts() + to];
                }
            }
            EXPECT_TRUE(std::ranges::all_of(met, [](int times) { return times == 1; }))
                << hosts_per_leaf << " hosts on a leaf, without the first " << left_out;
        }
    }
}

TEST(A2at, IsPredictedToReachTheBoundOfLargeMessages) {
    const Grid grid = full_grid({4, 4});
    const double bytes = 16.0 * (1 << 20);
    // 1 MiB for each of the 8 messages on a link.
    const double bound = 8.0 * (1 << 20) / 1e9;
    const double seconds = a2at().seconds(grid, {Collective::alltoall}, bytes);
    EXPECT_GT(seconds, bound);
    EXPECT_LT(seconds, 1.02 * bound);
}

}  // namespace
}  // namespace coll_topo::test
