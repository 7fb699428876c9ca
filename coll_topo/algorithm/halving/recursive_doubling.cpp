// SPDX-License-Identifier: BSD-3-Clause
//
// Dimension-sorted recursive doubling: allreduce of small vectors.
//
//     host        x, stride 1     x, stride 2     y, stride 1
//     o-o o-o     o-o o-o o-o     o---o           o o o
//                                   o---o         | | |
//                                                 o o o
//
// Everyone exchanges whole vectors, first with the ranks of its host, then along the axes in the order of
// halving-doubling, one prime factor of an axis at a time. In a group of 3, 5 or 7 everyone sends to all others at
// once, so that there are never more than ceil(log2 p) steps; all members combine the operands in the same order, so
// that all ranks hold the same bits. A group of a larger prime r pairs off its first members to leave a power of two,
// which takes floor(log2 r) + 2 steps. Ranks beyond the fewest of any host, and hosts outside the box, fold first and
// get the result last.
//
// Cost for m bytes: sum_s [ (r_s - 1)·o + hops·latency + l_s·m/bandwidth + (r_s - 1)·m/reduction ].
//
// Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1),
// 2005; the order of dimensions as JP 7087953 B2. Needs: a grid. Combines in rank order when ranks follow the grid.
//
// swing_whole is the same between places closer to each other: on rings of 2^k places partners are ..., 5, 3, 1, 1
// apart instead of ..., 8, 4, 2, 1: fewer hops, and two thirds of the load. The farthest come first: the places that a
// place reaches by the later steps are then one group, the same for all its members, so that all ranks combine the
// operands in the same groups and hold the same bits.
//
// Cost for m bytes: sum_s [ o + d_s·latency + (d_s + 1)/2·m/bandwidth + m/reduction ].
//
// Source: De Sensi, Bonato, Saam, Hoefler, "Swing: Short-cutting rings for higher bandwidth allreduce", NSDI 2024, its
// latency-optimal variant. Needs: a torus or mesh. Combines out of rank order.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/power_of_two_ranks.hpp"
#include "coll_topo/algorithm/stages/stages.hpp"
#include "coll_topo/base/mixed_radix.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace coll_topo::algorithms {
namespace {

constexpr Blocks vector_{Buffer::output, 0, 1};

constexpr Blocks slot(int number) {
    return {Buffer::scratch, number, 1};
}

int largest_direct_group(const Grid& grid) {
    int largest = 1;
    const auto consider = [&](int size) {
        for (const int radix : prime_factors(size)) {
            if (radix <= Stage::largest_direct_radix) largest = std::max(largest, radix);
        }
    };
    consider(grid.fewest_ranks_per_host());
    for (const Axis& axis : grid.axes()) consider(axis.size);
    return largest;
}

/// Allreduce among the members of one group; `rank_of` gives the rank of a member.
class GroupWriter {
public:
    GroupWriter(ProgramBuilder& builder, int size, int own, std::function<int(int)> rank_of)
        : builder_(builder), size_(size), own_(own), rank_of_(std::move(rank_of)) {}

    void run() {
        if (size_ == 2)
            exchange(1 - own_);
        else if (size_ <= Stage::largest_direct_radix)
            exchange_with_all();
        else
            pair_off_and_double();
    }

private:
    void exchange(int other) {
        builder_.receive_reduce(rank_of_(other), vector_, other < own_ ? Operand::left : Operand::right);
        builder_.send(rank_of_(other), vector_);
        builder_.next_step();
    }

    void exchange_with_all() {
        const auto slot_of = [&](int member) { return member < own_ ? member : member - 1; };
        for (int turn = 1; turn < size_; ++turn) {
            const int to = (own_ + turn) % size_, from = (own_ - turn + size_) % size_;
            builder_.receive(rank_of_(from), slot(slot_of(from)));
            builder_.send(rank_of_(to), vector_);
        }
        // ((v0 + v1) + v2) + …, whichever of them is our own.
        for (int j = 1; j < own_; ++j) builder_.reduce(slot(j - 1), Buffer::scratch, j, Operand::left);
        if (own_ > 0) builder_.reduce(slot(own_ - 1), Buffer::output, 0, Operand::left);
        for (int j = own_ + 1; j < size_; ++j) builder_.reduce(slot(slot_of(j)), Buffer::output, 0, Operand::right);
        builder_.next_step();
    }

    /// Pairs fold odd onto even; the 2^k that go on double.
    void pair_off_and_double() {
        const PowerOfTwoRanks doubling(size_, PowerOfTwoRanks::GoesOn::even);
        if (!doubling.goes_on(own_)) {
            builder_.send(rank_of_(own_ - 1), vector_);
            builder_.next_step();
            builder_.receive(rank_of_(own_ - 1), vector_);
            builder_.next_step();
            return;
        }
        const bool paired = doubling.paired(own_);
        if (paired) builder_.receive_reduce(rank_of_(own_ + 1), vector_, Operand::right);
        builder_.next_step();
        for (int bit = 1; bit < doubling.size(); bit *= 2) exchange(doubling.rank(doubling.number(own_) ^ bit));
        if (paired) builder_.send(rank_of_(own_ + 1), vector_);
        builder_.next_step();
    }

    ProgramBuilder& builder_;
    const int size_;
    const int own_;
    const std::function<int(int)> rank_of_;
};

/// The rank onto which this one folds its vector first, and from which it gets the result last; -1: none.
int fold_target(const Grid& grid, int rank) {
    const int host = grid.host(rank), index = grid.local_rank(rank);
    if (index >= grid.fewest_ranks_per_host()) return grid.ranks_of_host(host)[index % grid.fewest_ranks_per_host()];
    return host >= grid.places() ? grid.ranks_of_host(grid.proxy(host))[index] : -1;
}

/// The ranks of its own host that fold onto a rank.
std::vector<int> local_ranks_folded(const Grid& grid, int rank) {
    std::vector<int> folded;
    const int index = grid.local_rank(rank), smallest = grid.fewest_ranks_per_host();
    const auto local_ranks = grid.ranks_of_host(grid.host(rank));
    if (index >= smallest) return folded;
    for (int i = index + smallest; i < static_cast<int>(local_ranks.size()); i += smallest)
        folded.push_back(local_ranks[i]);
    return folded;
}

void write_groups(ProgramBuilder& builder, const Grid& grid, const StageOrder& stage_order, int rank) {
    const int host = grid.host(rank), index = grid.local_rank(rank);
    int stride = 1;
    for (const int radix : prime_factors(grid.fewest_ranks_per_host())) {
        GroupWriter(builder, radix, digit(index, stride, radix), [&, stride, radix](int member) {
            return grid.ranks_of_host(host)[with_digit(index, stride, radix, member)];
        }).run();
        stride *= radix;
    }
    for (const Stage& stage : stage_order.stages()) {
        GroupWriter(builder, stage.radix, stage_order.member(host, stage), [&](int member) {
            return grid.ranks_of_host(stage_order.place_of_member(host, stage, member))[index];
        }).run();
    }
}

/// The order of stages must let all ranks combine the operands in the same groups.
Program build_along(const Grid& grid, const StageOrder& stage_order, int rank) {
    ProgramBuilder builder(1, largest_direct_group(grid) - 1);
    builder.lane();
    const auto folded = local_ranks_folded(grid, rank);
    for (const int other : folded) builder.receive_reduce(other, vector_, Operand::right);
    builder.next_step();

    if (const int target = fold_target(grid, rank); target >= 0) {
        builder.send(target, vector_);
        builder.next_step();
        builder.receive(target, vector_);
        builder.next_step();
    } else {
        const int extra_host = grid.extra_host_of(grid.host(rank));
        const int extra_rank = extra_host < 0 ? -1 : grid.ranks_of_host(extra_host)[grid.local_rank(rank)];
        if (extra_rank >= 0) builder.receive_reduce(extra_rank, vector_, Operand::right);
        builder.next_step();
        write_groups(builder, grid, stage_order, rank);
        if (extra_rank >= 0) builder.send(extra_rank, vector_);
        builder.next_step();
    }

    for (const int other : folded) builder.send(other, vector_);
    return builder.finish();
}

double seconds_along(const Grid& grid, const StageOrder& stage_order, double bytes) {
    const double reduction = bytes / grid.costs_together().reduce_bandwidth;
    double total = 0;
    for (const int radix : prime_factors(grid.fewest_ranks_per_host())) {
        const int messages =
            radix <= Stage::largest_direct_radix ? radix - 1 : std::bit_width(static_cast<unsigned>(radix)) + 1;
        total += within_host_seconds(grid.costs_together(), messages, bytes) + messages * reduction;
    }
    for (const Stage& stage : stage_order.stages()) {
        const Axis& axis = grid.axes()[stage.axis];
        if (stage_order.swings(stage.axis)) {
            const int apart = stage_order.spacing(stage);
            total += grid.costs_together().message_time + axis.way_latency(apart) + reduction +
                     (apart + 1) / 2 * bytes * grid.fewest_ranks_per_host() / axis.bandwidth;
            continue;
        }
        if (stage.radix <= Stage::largest_direct_radix) {
            total += exchange_seconds(grid.costs_together(), stage, stage_way(grid, stage_order, stage), bytes,
                                      grid.fewest_ranks_per_host()) +
                     (stage.radix - 1) * reduction;
            continue;
        }
        // The step over half of the group loads its middle link most; the steps before it half as much each.
        const int steps = std::bit_width(static_cast<unsigned>(stage.radix)) + 1;
        const double load = axis.switched ? steps : stage.stride * stage.radix;
        total += steps * (grid.costs_together().message_time + reduction) + steps * axis.start_latency +
                 (axis.switched ? steps : stage.stride * stage.radix) * axis.latency +
                 bytes * grid.fewest_ranks_per_host() * load / stage_bandwidth(stage, axis);
    }
    const int folds =
        (grid.most_ranks_per_host() > grid.fewest_ranks_per_host() ? 1 : 0) + (grid.extra_hosts() > 0 ? 1 : 0);
    return total + 2 * folds * within_host_seconds(grid.costs_together(), 1, bytes);
}

template <StageOrder (*stage_order)(const Grid&)>
Program build(const Grid& grid, const Problem&, int rank) {
    return build_along(grid, stage_order(grid), rank);
}

template <StageOrder (*stage_order)(const Grid&)>
double seconds(const Grid& grid, const Problem&, double bytes) {
    return seconds_along(grid, stage_order(grid), bytes);
}

}  // namespace

extern constinit const Algorithm recursive_doubling{
    .name = "recursive_doubling",
    .summary = "whole vectors, doubling along the axes; for small messages",
    .collectives = only(Collective::allreduce),
    .in_order = [](const Grid& grid,
                   const Problem&) { return ranks_in_operand_order(grid, StageOrder::of_whole_vectors(grid)); },
    .seconds = seconds<StageOrder::of_whole_vectors>,
    .build = build<StageOrder::of_whole_vectors>,
};

extern constinit const Algorithm swing_whole{
    .name = "swing_whole",
    .summary = "tori: whole vectors over short distances; for small messages on rings of 8, 16, ... hosts",
    .collectives = only(Collective::allreduce),
    .network = Network::torus,
    .in_order = [](const Grid&, const Problem&) { return false; },
    .seconds = seconds<StageOrder::of_swing_whole_vectors>,
    .build = build<StageOrder::of_swing_whole_vectors>,
};

}  // namespace coll_topo::algorithms
