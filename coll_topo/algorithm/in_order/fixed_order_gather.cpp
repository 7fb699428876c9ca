// SPDX-License-Identifier: BSD-3-Clause
//
// Operands gathered along each line and combined in the order of coordinates by all: allreduce of short vectors.
//
//     step 1:  v0 > < v1 > < v2 > < v3 >      every rank sends its operand both ways,
//     step 2:  .. v3 > v0 > v1 > v2 > ..      then passes on what arrives; then ((v0 + v1) + v2) + v3
//
// The first rank of each place combines the operands of its place. Along an axis of N places every one of these ranks
// gets all N operands, those of both directions at once: from neighbour to neighbour, ceil((N - 1)/2) steps on a ring,
// N - 1 on an open line, or directly from each through switches. All combine them in the order of coordinates by the
// same operations: all get the same bits, whatever the operation, in every call. They are those of fixed_order, which
// is faster for long vectors.
//
// An operation that does not commute needs rank order. Where coordinates do not give it, the operands of all ranks go
// round one ring.
//
// Cost for m bytes, M ranks a host, axes of N_a places:
//     2M·(o + m/local) + sum_a [ ceil((N_a - 1)/2)·( 2o + latency + m/bandwidth ) ]
//     + (M - 1 + sum_a (N_a - 1))·m/reduction
//
// Source: JP 4629307 B2. Needs: a grid, and memory for the operands of a line. Combines in rank order wherever the
// problem asks for it.

#include "coll_topo/algorithm/in_order/fixed_order_gather.hpp"

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/in_order/coordinate_lines.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <functional>

namespace coll_topo::fixed_order_gather {
namespace {

constexpr Blocks vector_{Buffer::output, 0, 1};

enum class Passing { round_ring, along_line, direct };

Passing passing_on(const Axis& axis) {
    if (axis.switched) return Passing::direct;
    return axis.wrapped ? Passing::round_ring : Passing::along_line;
}

int passing_steps(Passing passing, int size) {
    return passing == Passing::direct ? 1 : passing == Passing::round_ring ? size / 2 : size - 1;
}

/// Gathers the operands of a line, whose members are numbered as they stand on it, and combines them.
class LineWriter {
public:
    /// `rank_of` gives the rank of a member, `order_of` the number of its operand in the order of combination.
    LineWriter(ProgramBuilder& builder, int size, int own, std::function<int(int)> rank_of,
               std::function<int(int)> order_of)
        : builder_(builder), size_(size), own_(own), rank_of_(std::move(rank_of)), order_of_(std::move(order_of)) {}

    void gather(Passing passing) {
        if (passing == Passing::direct) {
            for (int turn = 1; turn < size_; ++turn) {
                receive((own_ - turn + size_) % size_, (own_ - turn + size_) % size_);
                send((own_ + turn) % size_, own_);
            }
            return;
        }
        const int steps = passing_steps(passing, size_);
        for (int step = 1; step <= steps; ++step) {
            builder_.next_step();
            passing == Passing::round_ring ? pass_round(step) : pass_along(step);
        }
    }

    /// The same operations on every rank: even which of two NaNs wins is the same.
    void combine() {
        for (int number = 1; number < size_; ++number) {
            const Blocks next = operand(number);
            builder_.reduce(operand(number - 1), next.buffer, next.first, Operand::left);
        }
        if (order_of_(own_) != size_ - 1) builder_.copy(operand(size_ - 1), Buffer::output, 0);
        builder_.next_step();
    }

private:
    /// Where the operand of a number is gathered.
    Blocks operand(int number) const {
        const int own = order_of_(own_);
        if (number == own) return vector_;
        return {Buffer::scratch, number < own ? number : number - 1, 1};
    }

    void send(int to, int member) { builder_.send(rank_of_(to), operand(order_of_(member))); }
    void receive(int from, int member) { builder_.receive(rank_of_(from), operand(order_of_(member))); }

    void pass_round(int step) {
        const auto member = [&](int number) { return (number + size_) % size_; };
        receive(member(own_ - 1), member(own_ - step));
        send(member(own_ + 1), member(own_ - step + 1));
        if (2 * step == size_) return;  // the operand opposite need not come from both sides
        receive(member(own_ + 1), member(own_ + step));
        send(member(own_ - 1), member(own_ + step - 1));
    }

    void pass_along(int step) {
        const bool before = own_ > 0, after = own_ + 1 < size_;
        if (own_ - step >= 0) receive(own_ - 1, own_ - step);
        if (own_ + step < size_) receive(own_ + 1, own_ + step);
        if (after && own_ - step + 1 >= 0) send(own_ + 1, own_ - step + 1);
        if (before && own_ + step - 1 < size_) send(own_ - 1, own_ + step - 1);
    }

    ProgramBuilder& builder_;
    const int size_;
    const int own_;
    const std::function<int(int)> rank_of_;
    const std::function<int(int)> order_of_;
};

constexpr auto as_they_stand = [](int member) { return member; };

void write_axis(ProgramBuilder& builder, const CoordinateLines& lines, int place, int axis) {
    const Axis& along = lines.grid().axes()[axis];
    const auto rank_of = [&](int member) { return lines.grid().ranks_of_host(lines.along(place, axis, member))[0]; };
    LineWriter writer(builder, along.size, lines.coordinate(place, axis), rank_of, as_they_stand);
    writer.gather(passing_on(along));
    writer.combine();
}

void write_rank_order(ProgramBuilder& builder, const CoordinateLines& lines, int rank) {
    const std::vector<std::int32_t> ring = lines.operands();
    const auto own = static_cast<int>(std::ranges::find(ring, rank) - ring.begin());
    const auto rank_of = [&](int member) { return ring[member]; };
    LineWriter writer(builder, static_cast<int>(ring.size()), own, rank_of, rank_of);
    writer.gather(Passing::round_ring);
    writer.combine();
}

bool gathers_by_rank(const CoordinateLines& lines, const Problem& problem) {
    return problem.in_rank_order && !lines.in_rank_order();
}

int most_operands(const CoordinateLines& lines) {
    int most = lines.most_ranks();
    for (const Axis& axis : lines.grid().axes()) most = std::max(most, axis.size);
    return most;
}

double passing_seconds(const Grid& grid, Passing passing, int size, double latency, double transfer) {
    const int messages = passing == Passing::direct ? size - 1 : 2 * passing_steps(passing, size);
    const int transfers = passing == Passing::direct ? size - 1 : passing_steps(passing, size);
    return messages * grid.costs().message_time + passing_steps(passing, size) * latency + transfers * transfer;
}

double rank_order_seconds(const Grid& grid, double bytes) {
    double latency = 0, transfer = bytes / grid.costs().local_bandwidth;
    for (const Axis& axis : grid.axes()) {
        latency = std::max(latency, axis.way_latency(1));
        transfer = std::max(transfer, bytes / (axis.switched ? axis.pair_bandwidth : axis.bandwidth));
    }
    return passing_seconds(grid, Passing::round_ring, grid.ranks(), latency, transfer);
}

}  // namespace

void write_place(ProgramBuilder& builder, const CoordinateLines& lines, int rank,
                 const std::function<void()>& along_axes) {
    const std::vector<std::int32_t> ranks = lines.ranks(lines.place(rank));
    const int first = ranks[0], count = static_cast<int>(ranks.size());
    if (rank != first) {
        builder.send(first, vector_);
        builder.next_step();
        builder.receive(first, vector_);
        return;
    }
    for (int other = 1; other < count; ++other) builder.receive(ranks[other], {Buffer::scratch, other - 1, 1});
    LineWriter(
        builder, count, 0, [&](int member) { return ranks[member]; }, as_they_stand)
        .combine();
    along_axes();
    for (int other = 1; other < count; ++other) builder.send(ranks[other], vector_);
}

double place_seconds(const Grid& grid, double bytes) {
    const int others = CoordinateLines(grid).most_ranks() - 1;
    double total =
        2 * within_host_seconds(grid.costs(), others, bytes) + others * bytes / grid.costs().reduce_bandwidth;
    if (grid.extra_hosts() > 0) total += 2 * grid.most_ranks_per_host() * bytes / grid.axes()[0].bandwidth;
    return total;
}

namespace {

Program build(const Grid& grid, const Problem& problem, int rank) {
    const CoordinateLines lines(grid);
    const bool by_rank = gathers_by_rank(lines, problem);
    ProgramBuilder builder(1, (by_rank ? grid.ranks() : most_operands(lines)) - 1);
    builder.lane();
    if (by_rank) {
        write_rank_order(builder, lines, rank);
    } else {
        write_place(builder, lines, rank, [&] {
            const int axes = static_cast<int>(grid.axes().size()), place = grid.host(rank);
            for (int axis = 0; axis < axes; ++axis) write_axis(builder, lines, place, axis);
        });
    }
    return builder.finish();
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.in_rank_order || CoordinateLines(grid).in_rank_order();
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const CoordinateLines lines(grid);
    const double each = bytes / grid.costs().reduce_bandwidth, copy = bytes / grid.costs().copy_bandwidth;
    if (gathers_by_rank(lines, problem)) {
        return rank_order_seconds(grid, bytes) + (grid.ranks() - 1) * each + copy;
    }
    double total = place_seconds(grid, bytes);
    for (std::size_t index = 0; index < grid.axes().size(); ++index) {
        const Axis& axis = grid.axes()[index];
        // On a skewed grid all hosts of a leaf see the same columns and rows, and so share their cables.
        const int flows = grid.skewed() && index > 0 ? grid.axes()[0].size : 1;
        total +=
            passing_seconds(grid, passing_on(axis), axis.size, axis.way_latency(1), bytes * flows / axis.bandwidth) +
            (axis.size - 1) * each + copy;
    }
    return total;
}

}  // namespace
}  // namespace coll_topo::fixed_order_gather

namespace coll_topo::algorithms {

extern constinit const Algorithm fixed_order_gather{
    .name = "fixed_order_gather",
    .summary = "operands gathered along each axis, combined by all in the order of coordinates; for small messages",
    .collectives = only(Collective::allreduce),
    .fixed_order = true,
    .in_order = fixed_order_gather::in_order,
    .seconds = fixed_order_gather::seconds,
    .build = fixed_order_gather::build,
};

}  // namespace coll_topo::algorithms
