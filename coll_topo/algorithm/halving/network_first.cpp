// SPDX-License-Identifier: BSD-3-Clause
//
// Network first: allreduce by halving and doubling between hosts, with the ranks of a host in the middle.
//
//     ranks of the same number                  ranks of a host       and back
//     0 o-----o-----o-----o   each its          o  o  o  o            share the rest,
//     1 o-----o-----o-----o   own operands:      \ | | /              then all that
//     2 o-----o-----o-----o   halving            m/h each             hosts hold
//
// halving_doubling lets the ranks of a host combine the whole vector first, so that little crosses the network, but a
// rank spends most of the time on what it gets through memory. A network that is faster than that carries R times as
// much for R ranks a host here: each rank of a host takes part in a halving of its own, of the whole vector; the R
// results for the 1/h of the vector that a host of h then has are combined within the host, and doubling retraces it
// all. What a rank moves itself is m/h instead of m.
//
// The rings of bucket, with its lanes: those use all ports of a host, where multi_ring uses those along one cycle.
//
// Cost for m bytes: two halves of bucket for R·m bytes, and 2·(R-1)·(o + m/(h·R)/local) within hosts.
//
// Source: ours. Needs: a torus or mesh, as many ranks on every host, two at least. Combines out of rank order.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"

#include <string>

namespace coll_topo::algorithms {
namespace {

using halving_doubling::LaneWriter;

/// Units have a block for each rank of a host.
class ShareWriter : public LaneWriter {
public:
    using LaneWriter::LaneWriter;

protected:
    void reduce_scatter() override {
        fold();
        if (!in_box()) return;
        halve();
        for_each_neighbour([&](int peer, Blocks theirs, Blocks own) {
            builder().send(peer, theirs);
            builder().receive_reduce(peer, own, Operand::right);
        });
    }

    void allgather() override {
        if (in_box()) {
            for_each_neighbour([&](int peer, Blocks theirs, Blocks own) {
                builder().receive(peer, theirs);
                builder().send(peer, own);
            });
            double_up();
        }
        unfold();
    }

private:
    /// The other ranks of the host, and what of its unit is theirs and what is this rank's, in one step.
    template <typename Exchange>
    void for_each_neighbour(Exchange&& exchange) {
        const auto ranks = grid().ranks_of_host(host());
        const Blocks unit = own_unit();
        const int all = static_cast<int>(ranks.size()), each = unit.count / all;
        const auto blocks_of = [&](int number) { return Blocks{unit.buffer, unit.first + number * each, each}; };
        for (int distance = 1; distance < all; ++distance) {
            const int other = (part() + distance) % all;
            exchange(ranks[other], blocks_of(other), blocks_of(part()));
        }
        builder().next_step();
    }
};

Program build(const Grid& grid, const Problem& problem, int rank) {
    const int ranks = grid.most_ranks_per_host(), blocks = ranks * grid.places();
    const Problem with_all_ranks{.aggregators = ranks, .lanes = problem.lanes};
    ProgramBuilder builder(blocks * problem.lanes, 0);
    for (int lane = 0; lane < problem.lanes; ++lane) {
        const StageOrder order = StageOrder::of_rings(grid, lane);
        const Layout layout = Layout::of_share(grid, lane * blocks, ranks);
        builder.lane();
        ShareWriter(builder, grid, with_all_ranks, rank, lane, order, layout).write(Collective::allreduce);
    }
    return builder.finish();
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const int ranks = grid.most_ranks_per_host();
    const Problem with_all_ranks{.aggregators = ranks, .lanes = problem.lanes};
    const double piece = bytes / grid.places() / ranks;
    double seconds = (ranks - 1) * piece / costs.reduce_bandwidth;
    for (const bool combines : {true, false}) {
        seconds += halving_doubling::half_of_bucket(grid, with_all_ranks, ranks * bytes, combines).all +
                   within_host_seconds(costs, ranks - 1, piece);
    }
    return seconds;
}

std::string refusal(const Grid& grid, const Problem&) {
    if (grid.most_ranks_per_host() == 1) return "one rank on each host";
    if (grid.fewest_ranks_per_host() == grid.most_ranks_per_host()) return {};
    return "hosts have different numbers of ranks";
}

}  // namespace

extern constinit const Algorithm network_first{
    .name = "network_first",
    .summary =
        "tori: rings between hosts, with the ranks of a host in the middle, where links are faster than these; for "
        "large messages",
    .collectives = only(Collective::allreduce),
    .network = Network::torus,
    .uses_lanes = true,
    .spreads = true,
    .lane_counts = halving_doubling::lane_counts_of_bucket,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
