// SPDX-License-Identifier: BSD-3-Clause
//
// Operands gathered from both sides in wider and wider steps, and combined by all in the order of coordinates:
// allreduce of the shortest vectors.
//
//     step 1            > o <             every place gets the operands of its neighbours, and has 3;
//     step 2      >>> o o o o o <<<       from the places 3 to either side, three more each: it has 9; then up to 27,
//     ...
//
// Where a place has w operands, it gets up to w more from either side in one message each, from no farther away than
// their number: the distances of all steps add up to half the ring, the least there can be, where doubling goes round
// two thirds of it (Swing) or all of it. The price is longer messages. The widths are those that take the least time:
// steps to one side only, which double, save a message where hops are cheap.
//
// Each axis is a ring; the places of a line then combine their operands, all by the same operations, before the next
// axis: they are those of fixed_order_gather, and so are the bits of the result.
//
// Cost for m bytes, step s of K_s messages of d_s operands from d_s places away, axes of N_a places:
//     sum_a [ sum_s ( K_s·o + d_s·latency + d_s^2·m/bandwidth ) + (N_a - 1)·m/reduction ].
//
// Source: Juerss, Addanki, Schmid, "Trivance: latency-optimal AllReduce by shortcutting multiport networks",
// arXiv:2602.17254, 2026, whose distances these are; it adds up what it gathers, for which all places get different
// sums of the same operands and 3^k places are needed. Needs: rings. Combines in rank order where coordinates do.

#include "coll_topo/algorithm/in_order/widening_gather.hpp"

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/in_order/coordinate_lines.hpp"
#include "coll_topo/algorithm/in_order/fixed_order_gather.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>

namespace coll_topo::widening_gather {
namespace {

constexpr Blocks vector_{Buffer::output, 0, 1};

int farther(const Widening& step) {
    return std::max(step.behind, step.ahead);
}

std::vector<Widening> widenings_on(const Grid& grid, const Axis& axis) {
    return widenings(axis.size, grid.costs().message_time, axis.latency, axis.start_latency);
}

/// Gathers and combines the operands of a ring. Scratch holds those from the farthest behind to the farthest ahead.
class RingWriter {
public:
    RingWriter(ProgramBuilder& builder, const CoordinateLines& lines, int place, int axis)
        : builder_(builder),
          lines_(lines),
          place_(place),
          axis_(axis),
          size_(lines.grid().axes()[axis].size),
          own_(lines.coordinate(place, axis)) {}

    void run() {
        const std::vector<Widening> steps = widenings_on(lines_.grid(), lines_.grid().axes()[axis_]);
        for (const Widening& step : steps) behind_ += step.behind;
        builder_.copy(vector_, Buffer::scratch, behind_);
        builder_.next_step();
        int first = behind_, end = behind_ + 1;
        for (const Widening& step : steps) {
            // The place `ahead` places behind gets the operands that are farthest ahead here.
            builder_.receive(rank_at(step.ahead), slots(end, step.ahead));
            builder_.receive(rank_at(-step.behind), slots(first - step.behind, step.behind));
            builder_.send(rank_at(-step.ahead), slots(end - step.ahead, step.ahead));
            builder_.send(rank_at(step.behind), slots(first, step.behind));
            builder_.next_step();
            first -= step.behind;
            end += step.ahead;
        }
        combine();
    }

private:
    static Blocks slots(int first, int count) { return {Buffer::scratch, first, count}; }

    int rank_at(int offset) const {
        return lines_.grid().ranks_of_host(lines_.along(place_, axis_, (own_ + offset + size_) % size_))[0];
    }
    int slot_of(int member) const { return (member - own_ + behind_ + size_) % size_; }

    void combine() {
        for (int member = 1; member < size_; ++member) {
            builder_.reduce(slots(slot_of(member - 1), 1), Buffer::scratch, slot_of(member), Operand::left);
        }
        builder_.copy(slots(slot_of(size_ - 1), 1), Buffer::output, 0);
        builder_.next_step();
    }

    ProgramBuilder& builder_;
    const CoordinateLines& lines_;
    const int place_;
    const int axis_;
    const int size_;
    const int own_;
    int behind_ = 0;  // operands from places behind, after all steps
};

}  // namespace

std::vector<Widening> widenings(int size, double message_time, double latency, double start_latency) {
    // By how many operands there are: the seconds of all steps from there on, and the first of these.
    std::vector<double> seconds(size + 1, 0);
    std::vector<Widening> next(size + 1);
    for (int width = size - 1; width >= 1; --width) {
        const auto consider = [&](Widening step) {
            const int messages = (step.behind > 0 ? 1 : 0) + (step.ahead > 0 ? 1 : 0);
            const double way = start_latency + farther(step) * latency;
            const double all = messages * message_time + way + seconds[width + step.behind + step.ahead];
            if (next[width].ahead > 0 && all >= seconds[width]) return;
            seconds[width] = all;
            next[width] = step;
        };
        const int missing = size - width;
        for (int more = 1; more <= std::min(2 * width, missing); ++more) {
            if (more <= width) consider({0, more});
            if (more > 1) consider({more / 2, more - more / 2});
        }
    }
    std::vector<Widening> steps;
    for (int width = 1; width < size; width += steps.back().behind + steps.back().ahead) steps.push_back(next[width]);
    return steps;
}

namespace {

Program build(const Grid& grid, const Problem&, int rank) {
    const CoordinateLines lines(grid);
    int slots = lines.most_ranks() - 1;
    for (const Axis& axis : grid.axes()) slots = std::max(slots, axis.size);
    ProgramBuilder builder(1, slots);
    builder.lane();
    fixed_order_gather::write_place(builder, lines, rank, [&] {
        const int axes = static_cast<int>(grid.axes().size());
        for (int axis = 0; axis < axes; ++axis) RingWriter(builder, lines, grid.host(rank), axis).run();
    });
    return builder.finish();
}

bool in_order(const Grid& grid, const Problem&) {
    return CoordinateLines(grid).in_rank_order();
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    const MachineCosts& costs = grid.costs();
    double total = fixed_order_gather::place_seconds(grid, bytes);
    for (const Axis& axis : grid.axes()) {
        for (const Widening& step : widenings_on(grid, axis)) {
            const int messages = (step.behind > 0 ? 1 : 0) + (step.ahead > 0 ? 1 : 0), farthest = farther(step);
            const double bandwidth = stage_bandwidth({0, 1, axis.size, true}, axis);
            total += messages * costs.message_time + axis.way_latency(farthest) +
                     static_cast<double>(farthest) * farthest * bytes / bandwidth;
        }
        total += (axis.size - 1) * bytes / costs.reduce_bandwidth + 2 * bytes / costs.copy_bandwidth;
    }
    return total;
}

std::string refusal(const Grid& grid, const Problem&) {
    constexpr int most_operands = 256;
    for (const Axis& axis : grid.axes()) {
        if (!axis.wrapped && axis.size > 2)
            return "it is for rings, and these hosts form none in dimension " + axis.name;
        if (axis.size > most_operands) return "it gathers the operands of no more than 256 hosts in a ring";
    }
    return {};
}

}  // namespace
}  // namespace coll_topo::widening_gather

namespace coll_topo::algorithms {

extern constinit const Algorithm widening_gather{
    .name = "widening_gather",
    .summary = "tori: operands gathered round rings in wider and wider steps; for the smallest messages on long rings",
    .collectives = only(Collective::allreduce),
    .network = Network::torus,
    .fixed_order = true,
    .also_in_any_order = true,
    .further_refusal = widening_gather::refusal,
    .in_order = widening_gather::in_order,
    .seconds = widening_gather::seconds,
    .build = widening_gather::build,
};

}  // namespace coll_topo::algorithms
