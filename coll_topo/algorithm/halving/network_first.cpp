// SPDX-License-Identifier: BSD-3-Clause
//
// Network first: halving and doubling between hosts, with the ranks of a host in the middle. Reduce-scatter and
// allgather, and both together as allreduce; reduce, which gathers at the root instead.
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
// A reduce ends at the rank of a host that has the root's number: it takes what the others have combined, and these
// ranks gather at the root.
//
// The rings of bucket, in up to two lanes for each axis, on meshes too, where one combines while messages of the other
// travel: those use all ports of a host, where multi_ring uses those along one cycle.
//
// Cost for m bytes: halves of bucket for R·m bytes, each with ·(o + m/(h·R)/local) within hosts, and what a reduce
// by halving_doubling takes to gather.
//
// Source: ours. Needs: a torus or mesh, as many ranks on every host, two at least; for pieces no extra hosts. Combines
// out of rank order.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/rooted_stages.hpp"
#include "coll_topo/schedule/block_layout.hpp"

#include <algorithm>
#include <string>

namespace coll_topo::algorithms {
namespace {

using halving_doubling::LaneWriter;

/// Units have a block for each rank of a host, of pieces that of the rank.
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

    void gather_at_root() override {
        const int number = grid().local_rank(root());
        if (in_box()) {
            const int collecting = grid().ranks_of_host(host())[number];
            for_each_neighbour([&](int peer, Blocks theirs, Blocks own) {
                if (rank() == collecting) builder().receive(peer, theirs);
                if (peer == collecting) builder().send(peer, own);
            });
            if (rank() == collecting) gather_along_stages();
        }
        exchange_with_root(number, number + 1);
    }

    void scatter_pieces() override { copy_own_piece(own_block(), piece_of(Buffer::output, rank())); }
    void gather_pieces() override { copy_own_piece(piece_of(Buffer::input, rank()), own_block()); }

private:
    /// Of the host's unit.
    Blocks block_of(int number) const {
        const Blocks unit = own_unit();
        const int each = unit.count / grid().most_ranks_per_host();
        return {unit.buffer, unit.first + number * each, each};
    }
    Blocks own_block() const { return block_of(part()); }

    void copy_own_piece(Blocks from, Blocks to) {
        builder().copy(from, to.buffer, to.first);
        builder().next_step();
    }

    /// The other ranks of the host, and what of its unit is theirs and what is this rank's, in one step.
    template <typename Exchange>
    void for_each_neighbour(Exchange&& exchange) {
        const auto ranks = grid().ranks_of_host(host());
        const int all = static_cast<int>(ranks.size());
        for (int distance = 1; distance < all; ++distance) {
            const int other = (part() + distance) % all;
            exchange(ranks[other], block_of(other), own_block());
        }
        builder().next_step();
    }
};

/// Every rank of a host is an aggregator, with a vector of its own.
Problem with_all_ranks(const Grid& grid, const Problem& problem) {
    Problem all = problem;
    all.aggregators = grid.most_ranks_per_host();
    return all;
}

Layout layout_of(const Grid& grid, const Problem& problem, int lane, const StageOrder& order) {
    const int ranks = grid.most_ranks_per_host();
    if (vector_form(problem.collective) == VectorForm::whole)
        return Layout::of_share(grid, lane * ranks * grid.places(), ranks);
    return Layout::of_pieces(grid, {.lanes = problem.lanes}, lane, order.places_by_position());
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return halving_doubling::write_lanes_by<ShareWriter>(grid, with_all_ranks(grid, problem), rank,
                                                         StageOrder::of_rings, layout_of);
}

/// Seconds in which a rank gets blocks of its host's unit from all others, in all lanes, of which each rank sends so
/// many messages.
double blocks_within_host_seconds(const Grid& grid, const Problem& problem, double bytes, int messages) {
    const MachineCosts costs = grid.costs_together();
    const double blocks = bytes / grid.places() * (problem.aggregators - 1) / problem.aggregators;
    return problem.lanes * messages * costs.local_message() + blocks / costs.local_bandwidth;
}

/// Seconds of reduce-scatter, which combines, or allgather.
halving_doubling::HalfSeconds half_seconds(const Grid& grid, const Problem& problem, double bytes, bool combines) {
    const int others = problem.aggregators - 1;
    halving_doubling::HalfSeconds half =
        halving_doubling::half_of_bucket(grid, problem, problem.aggregators * bytes, combines);
    half.all += blocks_within_host_seconds(grid, problem, bytes, others);
    const double combined = bytes / grid.places() * others / problem.aggregators;
    if (combines) half.all += combined / grid.costs_together().reduce_bandwidth;
    return half;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const Problem all = with_all_ranks(grid, problem);
    halving_doubling::HalfSeconds combining, gathering;
    if (combines(problem.collective)) combining = half_seconds(grid, all, bytes, true);
    if (has_allgather(problem.collective)) gathering = half_seconds(grid, all, bytes, false);
    const double halves = combining.all + gathering.all;
    if (problem.collective == Collective::reduce) {
        return halves + blocks_within_host_seconds(grid, all, bytes, 1) +
               seconds_at_root(grid, all.lanes, StageOrder::of_rings, false, bytes);
    }
    if (vector_form(problem.collective) == VectorForm::whole) return halves;
    const double copying = (bytes + bytes / grid.ranks()) / grid.costs_together().copy_bandwidth;
    const double other_lanes = (problem.lanes - 1.0) / problem.lanes;
    return halves + copying - std::min(combining.lag + gathering.lag, copying * other_lanes);
}

std::string refusal(const Grid& grid, const Problem& problem) {
    if (grid.most_ranks_per_host() == 1) return "one rank on each host";
    if (grid.fewest_ranks_per_host() != grid.most_ranks_per_host()) return "hosts have different numbers of ranks";
    const bool has_pieces = vector_form(problem.collective) != VectorForm::whole;
    return has_pieces && grid.extra_hosts() > 0 ? "hosts do not make a full grid" : "";
}

}  // namespace

extern constinit const Algorithm network_first{
    .name = "network_first",
    .summary =
        "tori: rings between hosts, with the ranks of a host in the middle, where links are faster than these; for "
        "large messages",
    .collectives = with_reduce_scatter_and_allgather | only(Collective::reduce),
    .network = Network::torus,
    .uses_lanes = true,
    .spreads = true,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
