// SPDX-License-Identifier: BSD-3-Clause
//
// The pipelined chain through a torus or mesh: reduce of large vectors where combining decides.
//
//     r -> 1 -> 2 -> 3
//                    |        blocks from each place to a neighbour, past all of them (GridCycle), and through the
//                    ranks
//     8 <- 7 <- 6 <- 4        of each host; in reduce the other way
//
// In a reduce every rank folds each block once, which is the least that one can do that is not alone in it; in trees,
// some have several children. In a bcast every link carries the vector once; trees in lanes use more links, and the
// first block goes p - 1 hops.
//
// Cost: see ChainCost. Where there is no cycle, the chain goes from its last place to its first by a way that meets
// others on links: each block then counts twice. Where hosts do not fill the box, see chain_seconds().
//
// Source: as pipelined_chain.cpp. Needs: a torus or mesh. Combines out of rank order.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/tree/chain.hpp"
#include "coll_topo/algorithm/tree/grid_cycle.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// The ranks in the order of the chain; the root is the first of its place.
class RanksOnChain {
public:
    RanksOnChain(const Grid& grid, int root) : grid_(grid), cycle_(grid), root_(root) {
        begin_ = cycle_.position(place_of(root));
    }

    const GridCycle& cycle() const { return cycle_; }
    bool begins_at_end() const { return begin_ == 0; }

    int before(int rank) const { return neighbour(rank, -1); }
    int after(int rank) const { return neighbour(rank, 1); }

private:
    int place_of(int rank) const { return grid_.place_of(grid_.host(rank)); }

    /// The ranks of a place, with those of the extra host that it stands for.
    int count(int place) const {
        const int extra = grid_.extra_host_of(place);
        return static_cast<int>(grid_.ranks_of_host(place).size() +
                                (extra < 0 ? 0 : grid_.ranks_of_host(extra).size()));
    }
    int index_in_order(int rank) const {
        const int host = grid_.host(rank), place = grid_.place_of(host);
        return grid_.local_rank(rank) + (host == place ? 0 : static_cast<int>(grid_.ranks_of_host(place).size()));
    }
    int rank_in_order(int place, int index) const {
        const auto of_place = grid_.ranks_of_host(place);
        const int beyond = index - static_cast<int>(of_place.size());
        return beyond < 0 ? of_place[index] : grid_.ranks_of_host(grid_.extra_host_of(place))[beyond];
    }
    /// The root changes places with the first.
    int swapped(int place, int index) const {
        if (place != place_of(root_)) return index;
        const int of_root = index_in_order(root_);
        return index == 0 ? of_root : index == of_root ? 0 : index;
    }

    int neighbour(int rank, int step) const {
        const int place = place_of(rank), index = swapped(place, index_in_order(rank)) + step;
        if (index >= 0 && index < count(place)) return rank_in_order(place, swapped(place, index));
        const int places = grid_.places(), position = (cycle_.position(place) + step + places) % places;
        if ((step > 0 ? position : (position + 1) % places) == begin_) return -1;
        const int next = cycle_.place(position);
        return rank_in_order(next, swapped(next, step > 0 ? 0 : count(next) - 1));
    }

    const Grid& grid_;
    GridCycle cycle_;
    int root_;
    int begin_ = 0;  // position of the root's place
};

Program build(const Grid& grid, const Problem& problem, int rank) {
    const RanksOnChain chain(grid, problem.root);
    ProgramBuilder builder(problem.segments, 0);
    write_chain(builder, problem, rank, chain.before(rank), chain.after(rank));
    Program program = builder.finish();
    if (problem.collective == Collective::bcast) limit_sends_passed(program, chain_blocks_under_way - 1);
    return program;
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.collective == Collective::bcast || grid.ranks() == 1;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const RanksOnChain chain(grid, problem.root);
    if (!grid.keeps_to_axes()) {
        std::vector<std::int32_t> after;
        for (int rank = 0; rank < grid.ranks(); ++rank) after.push_back(chain.after(rank));
        return chain_seconds(grid, problem, after, bytes);
    }
    const double meetings = chain.cycle().closed() || chain.begins_at_end() ? 1 : 2;
    double latency = 0, bandwidth = 0;
    for (const Axis& axis : grid.axes()) {
        latency = std::max(latency, axis.mean_way_latency());
        bandwidth = bandwidth > 0 ? std::min(bandwidth, axis.message_bandwidth()) : axis.message_bandwidth();
    }
    ChainCost cost(grid.costs_together(), problem, bytes);
    cost.add_within_hosts(grid.ranks() - grid.hosts());
    cost.add_between_hosts(grid.hosts() - 1, latency, bandwidth / meetings);
    return cost.seconds();
}

}  // namespace

extern constinit const Algorithm grid_chain{
    .name = "grid_chain",
    .summary = "blocks stream past all hosts from neighbour to neighbour; for large messages on tori and meshes",
    .collectives = any({Collective::bcast, Collective::reduce}),
    .network = Network::torus,
    .uses_segments = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
