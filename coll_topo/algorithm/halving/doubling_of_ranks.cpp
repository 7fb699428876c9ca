// SPDX-License-Identifier: BSD-3-Clause
//
// Allgather by doubling among all ranks, those of a host first; and reduce-scatter, the same backwards.
//
//     2 ranks a host:  01 23 | 45 67        host        0-1, 2-3, …       pieces of one rank
//                      hosts of a line      stride 1    01-23, 45-67      of two
//                                           stride 2    0123-4567         of four
//
// doubling_in_place lets one rank of a host send for all, so that every cable carries the vector once, and then all of
// the vector passes through the memory of the host. Here that carries single pieces, and a cable everything that each
// rank of the host gets: for cables that are faster than messages within a host, and for short pieces.
//
// Cost for m bytes, q ranks a host, stage s exchanging with r_s members at link load l_s, pieces
// m_s = m·q·r_1·…·r_(s-1)/p:
//     the host, and sum_s [ (r_s - 1)·o + hops·latency + q·l_s·m_s/bandwidth ], and reduction.
//
// Source: as doubling_in_place. Needs: a full grid, two ranks or more on every host, ranks numbered along the grid.
// Combines out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"
#include "coll_topo/algorithm/stages/stages.hpp"
#include "coll_topo/base/mixed_radix.hpp"

#include <algorithm>
#include <ranges>
#include <string>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// A rank's way through its groups: those of its host, then those of its place.
class Groups {
public:
    Groups(const Grid& grid, int rank)
        : grid_(grid),
          stage_order_(StageOrder::of_places(grid)),
          host_(grid.host(rank)),
          index_(grid.local_rank(rank)),
          in_host_(prime_factors(grid.fewest_ranks_per_host())) {}

    int count() const { return static_cast<int>(in_host_.size() + stage_order_.stages().size()); }
    int radix(int group) const { return is_in_host(group) ? in_host_[group] : stage(group).radix; }
    /// Ranks whose pieces a rank holds when it comes to a group.
    int width(int group) const {
        int ranks = 1;
        for (int before = 0; before < group; ++before) ranks *= radix(before);
        return ranks;
    }
    int member(int group) const {
        return is_in_host(group) ? digit(index_, width(group), in_host_[group])
                                 : stage_order_.member(host_, stage(group));
    }
    int rank_of(int group, int member) const {
        if (is_in_host(group)) {
            return grid_.ranks_of_host(host_)[with_digit(index_, width(group), in_host_[group], member)];
        }
        return grid_.ranks_of_host(stage_order_.place_of_member(host_, stage(group), member))[index_];
    }

private:
    bool is_in_host(int group) const { return group < static_cast<int>(in_host_.size()); }
    const Stage& stage(int group) const { return stage_order_.stages()[count() - 1 - group]; }

    const Grid& grid_;
    const StageOrder stage_order_;
    const int host_, index_;
    const std::vector<int> in_host_;
};

std::string refusal(const Grid& grid, const Problem&) {
    const int per_host = grid.most_ranks_per_host();
    if (per_host < 2) return "one rank on each host";
    if (grid.extra_hosts() > 0 || grid.fewest_ranks_per_host() != per_host) return "hosts do not make a full grid";
    const StageOrder stage_order = StageOrder::of_places(grid);
    if (!std::ranges::all_of(stage_order.stages(), &Stage::direct)) return "a ring of a prime number of hosts above 7";
    for (int place = 0; place < grid.places(); ++place) {
        const auto ranks = grid.ranks_of_host(place);
        const int first = stage_order.position(place) * per_host;
        for (int i = 0; i < per_host; ++i) {
            if (ranks[i] != first + i) return "ranks are not numbered along the grid";
        }
    }
    return {};
}

/// What the member of a rank's group holds when they come to it.
Blocks held_by(const Groups& groups, int group, int member) {
    const int width = groups.width(group);
    return {Buffer::scratch, groups.rank_of(group, member) / width * width, width};
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const Groups groups(grid, rank);
    const bool reduces = combines(problem.collective);
    ProgramBuilder builder(grid.ranks(), grid.ranks());
    builder.lane();
    reduces ? take_all_pieces(builder, grid.ranks()) : take_own_piece(builder, rank);
    for (int step = 0; step < groups.count(); ++step) {
        const int group = reduces ? groups.count() - 1 - step : step;
        const int radix = groups.radix(group), own = groups.member(group);
        const Blocks held = held_by(groups, group, own);
        for (int turn = 1; turn < radix; ++turn) {
            const int to = (own + turn) % radix, from = (own - turn + radix) % radix;
            builder.send(groups.rank_of(group, to), reduces ? held_by(groups, group, to) : held);
            if (reduces) {
                builder.receive_reduce(groups.rank_of(group, from), held, from < own ? Operand::left : Operand::right);
            } else {
                builder.receive(groups.rank_of(group, from), held_by(groups, group, from));
            }
        }
        builder.next_step();
    }
    reduces ? give_own_piece(builder, rank) : give_all_pieces(builder, grid.ranks());
    return builder.finish(pieces_in_rank_order(grid.ranks()));
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const StageOrder stage_order = StageOrder::of_places(grid);
    const int per_host = grid.most_ranks_per_host();
    const double reduction = combines(problem.collective) ? 1 / costs.reduce_bandwidth : 0;
    double held = bytes / grid.ranks(), total = held / costs.copy_bandwidth;
    for (const int radix : prime_factors(per_host)) {
        total += within_host_seconds(costs, radix - 1, held) + (radix - 1) * held * reduction;
        held *= radix;
    }
    for (const Stage& stage : std::views::reverse(stage_order.stages())) {
        const StageWay way = stage_way(grid, stage_order, stage);
        total += exchange_seconds(costs, stage, way, held, per_host) + (stage.radix - 1) * held * reduction -
                 overlap_seconds(grid, stage, way, held, reduction > 0);
        held *= stage.radix;
    }
    return total;
}

}  // namespace

extern constinit const Algorithm doubling_of_ranks{
    .name = "doubling_of_ranks",
    .summary = "several ranks a host: doubling in rank order among all of them, or backwards, those of a host first",
    .collectives = any({Collective::reduce_scatter, Collective::reduce_scatter_block, Collective::allgather}),
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
