// SPDX-License-Identifier: BSD-3-Clause
//
// Allgather by doubling among all ranks, those of a host first; reduce-scatter, the same backwards; and both together
// as allreduce. Reduce ends by gathering at the root along the same groups, bcast begins with a scatter from there.
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
//     the host, and sum_s [ (r_s - 1)·o + hops·latency + q·l_s·m_s/bandwidth ], and reduction: each half. Where a root
//     gathers or scatters, one rank of a host sends or receives, and l_s is what the root's host alone sends one way.
//
// Source: as doubling_in_place. Needs: a full grid, two ranks or more on every host, ranks numbered along the grid.
// Combines out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"
#include "coll_topo/algorithm/stages/rooted_stages.hpp"
#include "coll_topo/algorithm/stages/stages.hpp"
#include "coll_topo/base/mixed_radix.hpp"
#include "coll_topo/schedule/block_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <string>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// The groups that ranks go through in halving: those of their places, then those of their hosts. See RootedStages.
class Groups {
public:
    Groups(const Grid& grid, Buffer buffer)
        : grid_(grid),
          buffer_(buffer),
          stage_order_(StageOrder::of_places(grid)),
          in_host_(prime_factors(grid.fewest_ranks_per_host())) {}

    int count() const { return stages() + static_cast<int>(in_host_.size()); }
    int radix(int group) const { return is_in_host(group) ? in_host_[group - stages()] : stage(group).radix; }
    /// Ranks whose pieces a rank holds after it, or before it in doubling.
    int width(int group) const {
        int ranks = 1;
        for (int later = group + 1; later < count(); ++later) ranks *= radix(later);
        return ranks;
    }
    int member(int rank, int group) const {
        return is_in_host(group) ? digit(grid_.local_rank(rank), width(group), radix(group))
                                 : stage_order_.member(grid_.host(rank), stage(group));
    }
    int other(int rank, int group, int member) const {
        const int host = grid_.host(rank), index = grid_.local_rank(rank);
        if (is_in_host(group)) {
            return grid_.ranks_of_host(host)[with_digit(index, width(group), radix(group), member)];
        }
        return grid_.ranks_of_host(stage_order_.place_of_member(host, stage(group), member))[index];
    }
    int distance(int, int, int turn) const { return turn; }
    int rank(int rank) const { return rank; }
    Blocks held(int rank, int width) const { return {buffer_, rank / width * width, width}; }

private:
    int stages() const { return static_cast<int>(stage_order_.stages().size()); }
    bool is_in_host(int group) const { return group >= stages(); }
    const Stage& stage(int group) const { return stage_order_.stages()[group]; }

    const Grid& grid_;
    const Buffer buffer_;
    const StageOrder stage_order_;
    const std::vector<int> in_host_;
};

std::string refusal(const Grid& grid, const Problem& problem) {
    const int per_host = grid.most_ranks_per_host();
    if (per_host < 2) return "one rank on each host";
    if (grid.extra_hosts() > 0 || grid.fewest_ranks_per_host() != per_host) return "hosts do not make a full grid";
    if (has_root(problem.collective) && grid.skewed()) return retraces_stages;
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

/// One rank's program.
class Writer {
public:
    Writer(const Grid& grid, const Problem& problem, int rank)
        : collective_(problem.collective),
          whole_(vector_form(collective_) == VectorForm::whole),
          ranks_(grid.ranks()),
          rank_(rank),
          root_(problem.root),
          groups_(grid, whole_ ? Buffer::output : Buffer::scratch),
          builder_(ranks_, whole_ ? 0 : ranks_) {}

    Program write() {
        builder_.lane();
        if (!whole_) combines(collective_) ? take_all_pieces(builder_, ranks_) : take_own_piece(builder_, rank_);
        if (combines(collective_)) halve();
        if (collective_ == Collective::reduce) RootedStages(groups_, rank_, root_).gather(builder_);
        if (collective_ == Collective::bcast) RootedStages(groups_, rank_, root_).scatter(builder_);
        if (ends_with_doubling(collective_)) double_up();
        if (!whole_) combines(collective_) ? give_own_piece(builder_, rank_) : give_all_pieces(builder_, ranks_);
        return builder_.finish(whole_ ? std::vector<std::int32_t>() : pieces_in_rank_order(ranks_));
    }

private:
    void halve() {
        for (int group = 0; group < groups_.count(); ++group) {
            const int radix = groups_.radix(group), own = groups_.member(rank_, group), width = groups_.width(group);
            for (int turn = 1; turn < radix; ++turn) {
                const int to = groups_.other(rank_, group, (own + turn) % radix), from = (own - turn + radix) % radix;
                builder_.send(to, groups_.held(to, width));
                builder_.receive_reduce(groups_.other(rank_, group, from), groups_.held(rank_, width),
                                        from < own ? Operand::left : Operand::right);
            }
            builder_.next_step();
        }
    }

    /// Of a bcast, the member that has had all before needs nothing from the others.
    void double_up() {
        bool scattered_here = collective_ == Collective::bcast;
        for (int group = groups_.count() - 1; group >= 0; --group) {
            const int radix = groups_.radix(group), own = groups_.member(rank_, group), width = groups_.width(group);
            const int has_all = scattered_here ? groups_.member(root_, group) : -1;
            for (int turn = 1; turn < radix; ++turn) {
                const int to = (own + turn) % radix, from = groups_.other(rank_, group, (own - turn + radix) % radix);
                if (to != has_all) builder_.send(groups_.other(rank_, group, to), groups_.held(rank_, width));
                if (own != has_all) builder_.receive(from, groups_.held(from, width));
            }
            builder_.next_step();
            scattered_here = own == has_all;
        }
    }

    const Collective collective_;
    const bool whole_;  // one vector, which stays where it is
    const int ranks_, rank_, root_;
    const Groups groups_;
    ProgramBuilder builder_;
};

Program build(const Grid& grid, const Problem& problem, int rank) {
    Program program = Writer(grid, problem, rank).write();
    // The root's first shares are the longest, and others wait for them.
    if (problem.collective == Collective::bcast) limit_sends_passed(program, 0);
    return program;
}

/// Seconds of halving or doubling, of the messages within hosts and of those between them.
double half_seconds(const Grid& grid, double bytes, double reduction) {
    const MachineCosts costs = grid.costs_together();
    const StageOrder stage_order = StageOrder::of_places(grid);
    const int per_host = grid.most_ranks_per_host();
    double held = bytes / grid.ranks(), total = 0;
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

/// Seconds in which all shares go from the root, or to it. A message within a host takes time of who receives it, one
/// between hosts of who sends it.
double seconds_at_root(const Grid& grid, double bytes, bool scatters) {
    const MachineCosts costs = grid.costs_together();
    double held = bytes / grid.ranks(), total = 0;
    for (const int radix : prime_factors(grid.most_ranks_per_host())) {
        total += within_host_seconds(costs, scatters ? 1 : radix - 1, held);
        held *= radix;
    }
    for (const Fan& fan : fans_of(grid, StageOrder::of_places(grid), scatters, bytes).in_turn) {
        total += fan.messages * fan.start + fan.latency + fan.transfer;
    }
    return total;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const bool whole = vector_form(problem.collective) == VectorForm::whole;
    double total = whole ? 0 : bytes / grid.ranks() / costs.copy_bandwidth;
    if (combines(problem.collective)) total += half_seconds(grid, bytes, 1 / costs.reduce_bandwidth);
    if (ends_with_doubling(problem.collective)) total += half_seconds(grid, bytes, 0);
    if (problem.collective == Collective::reduce) total += seconds_at_root(grid, bytes, false);
    if (problem.collective == Collective::bcast) total += seconds_at_root(grid, bytes, true);
    return total;
}

}  // namespace

extern constinit const Algorithm doubling_of_ranks{
    .name = "doubling_of_ranks",
    .summary = "several ranks a host: doubling in rank order among all of them, or backwards, those of a host first",
    .collectives = with_reduce_scatter_and_allgather | only(Collective::reduce) | only(Collective::bcast),
    .receivers_at_once = ReceiversAtOnce::several_through_switches,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
