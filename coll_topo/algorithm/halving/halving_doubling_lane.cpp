// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"

#include <algorithm>

namespace coll_topo::halving_doubling {

void LaneWriter::write(Collective collective) {
    if (collective == Collective::allreduce) {
        reduce_scatter();
        allgather();
    } else if (collective == Collective::reduce) {
        reduce_scatter();
        gather_at_root();
    } else if (collective == Collective::bcast) {
        scatter_from_root();
        allgather();
    } else if (collective == Collective::allgather) {
        gather_pieces();
        allgather();
        arrange_output();
    } else {
        arrange_input();
        reduce_scatter();
        scatter_pieces();
    }
}

void LaneWriter::reduce_scatter() {
    host_reduce_scatter();
    fold();
    if (in_box()) halve();
}

void LaneWriter::allgather() {
    if (in_box()) double_up();
    unfold();
    host_allgather();
}

void LaneWriter::halve() {
    int first = 0, width = grid_.places();
    for (const Stage& stage : stage_order_.stages()) {
        width /= stage.radix;
        if (&stage == &stage_order_.stages().front()) receive_from_extras_of_line();
        if (stage.direct)
            halve_directly(stage, first, width);
        else
            halve_round_ring(stage, first, width);
        first += stage_order_.member(host_, stage) * width;
    }
}

void LaneWriter::double_up() {
    int first = stage_order_.position(host_), width = 1;
    // Whether one of the group has the data of all: the one with the root's number, if all had that in later stages.
    bool scattered_here = problem_.collective == Collective::bcast;
    for (auto stage = stage_order_.stages().rbegin(); stage != stage_order_.stages().rend(); ++stage) {
        const int own = stage_order_.member(host_, *stage);
        const int has_all = scattered_here ? stage_order_.member(root_place(), *stage) : nobody;
        first -= own * width;
        if (&*stage == &stage_order_.stages().front()) send_to_extras_of_line();
        if (stage->direct)
            double_directly(*stage, first, width, has_all);
        else
            double_round_ring(*stage, first, width, has_all);
        width *= stage->radix;
        scattered_here = own == has_all;
    }
}

void LaneWriter::halve_directly(const Stage& stage, int first, int width) {
    const int own = stage_order_.member(host_, stage);
    const auto receive = [&](int from) {
        builder_.receive_reduce(member_rank(stage, from), share(first, width, own),
                                from < own ? Operand::left : Operand::right);
    };
    if (problem_.in_rank_order) {
        for (int from = own - 1; from >= 0; --from) receive(from);
        for (int from = own + 1; from < stage.radix; ++from) receive(from);
    }
    for (int turn = 1; turn < stage.radix; ++turn) {
        const int distance = stage_order_.distance(host_, stage, turn);
        const int to = (own + distance) % stage.radix;
        builder_.send(member_rank(stage, to), share(first, width, to));
        // Combined in the order of sending, so that a rank that sends to one partner after another need not wait.
        if (!problem_.in_rank_order) receive((own - distance + stage.radix) % stage.radix);
    }
    builder_.next_step();
}

void LaneWriter::double_directly(const Stage& stage, int first, int width, int has_all) {
    const int own = stage_order_.member(host_, stage);
    for (int turn = 1; turn < stage.radix; ++turn) {
        const int distance = stage_order_.distance(host_, stage, turn);
        const int to = (own + distance) % stage.radix, from = (own - distance + stage.radix) % stage.radix;
        if (own != has_all) builder_.receive(member_rank(stage, from), share(first, width, from));
        if (to != has_all) builder_.send(member_rank(stage, to), share(first, width, own));
    }
    builder_.next_step();
}

void LaneWriter::halve_round_ring(const Stage& stage, int first, int width) {
    const int radix = stage.radix, own = stage_order_.member(host_, stage);
    const int next = member_rank(stage, (own + 1) % radix), previous = member_rank(stage, (own + radix - 1) % radix);
    for (int hop = 1; hop < radix; ++hop) {
        builder_.send(next, share(first, width, (own - hop + radix) % radix));
        builder_.receive_reduce(previous, share(first, width, (own - hop - 1 + radix) % radix), Operand::left);
        builder_.next_step();
    }
}

void LaneWriter::double_round_ring(const Stage& stage, int first, int width, int has_all) {
    const int radix = stage.radix, own = stage_order_.member(host_, stage);
    const int after = (own + 1) % radix, before = (own + radix - 1) % radix;
    const int next = member_rank(stage, after), previous = member_rank(stage, before);
    for (int hop = 0; hop < radix - 1; ++hop) {
        if (after != has_all) builder_.send(next, share(first, width, (own - hop + radix) % radix));
        if (own != has_all) builder_.receive(previous, share(first, width, (own - hop - 1 + radix) % radix));
        builder_.next_step();
    }
}

Program write_lanes(const Grid& grid, const Problem& problem, int rank, StageOrderOf stage_order, int sends_at_once) {
    const auto layout_of = [](const Grid& grid, const Problem& problem, int lane, const StageOrder& order) {
        return vector_form(problem.collective) == VectorForm::whole
                   ? Layout::of_vector(grid, problem, lane)
                   : Layout::of_pieces(grid, problem, lane, order.places_by_position());
    };
    return write_lanes_by<LaneWriter>(grid, problem, rank, stage_order, layout_of, sends_at_once);
}

bool pieces_in_rank_order(const Grid& grid, const Problem& problem, StageOrderOf stage_order) {
    if (problem.lanes > 1) return false;
    const Layout layout = Layout::of_pieces(grid, problem, 0, stage_order(grid, 0).places_by_position());
    int expected = 0;
    return std::ranges::all_of(layout.piece_order(), [&](int rank) { return rank == expected++; });
}

double seconds_of_halves(const Grid& grid, const Problem& problem, double bytes, StageOrderOf stage_order,
                         HalfSeconds (*half)(const Grid& grid, const Problem& problem, double bytes, bool combines)) {
    const MachineCosts& costs = grid.costs_together();
    const bool reduces = combines(problem.collective);
    const int others = grid.most_ranks_per_host() - 1;
    const double part = bytes / problem.aggregators;
    const double travel = problem.lanes * within_host_seconds(costs, others, part / problem.lanes);
    const double folding = reduces ? others * part / costs.reduce_bandwidth : 0;
    const bool gathers = ends_with_doubling(problem.collective);
    HalfSeconds combining, gathering;
    if (reduces) combining = half(grid, problem, bytes, true);
    if (gathers) gathering = half(grid, problem, bytes, false);
    if (vector_form(problem.collective) == VectorForm::whole) {
        return folding + (reduces && gathers ? 2 : 1) * travel +
               combined_and_gathered_seconds(combining.all, combining.idle, gathering.all, problem.lanes) +
               seconds_of_root(grid, problem, bytes, stage_order);
    }
    const double one = folding + travel + combining.all + gathering.all, lag = combining.lag + gathering.lag;
    const double pieces = pieces_in_rank_order(grid, problem, stage_order) ? 1 : grid.ranks() + 1;
    const double copying = pieces * bytes / grid.ranks() / costs.copy_bandwidth;
    // What a lane sends travels while the processor copies and combines for the others.
    const double other_lanes = (problem.lanes - 1.0) / problem.lanes;
    const double work = copying + folding + (others > 0 ? travel : 0);
    return one + copying - std::min(lag, work * other_lanes);
}

}  // namespace coll_topo::halving_doubling
