// SPDX-License-Identifier: BSD-3-Clause
//
// Trees of the LogP model: bcast and reduce of short vectors on tori and meshes.
//
//     o much less than L            o much more than L, or nothing known of L
//     r->o r-->o r--->o             r-->o   then   r->o   o->o
//
// A message costs its sender o and arrives L later, so that a sender may send again before its first message arrives.
// Where L is large, each holder of the vector should send it to many; where L is small, all holders should send. L is
// what the file says: Latency of HostLink, twice, and for each hop that of the links. The tree of a line follows from
// these, see LineDivision, but no wider than is good for calls in a loop; it is the same for vectors of every length.
// It runs as dimension_binomial does, along the axes one after the other; or over all hosts as one line, with the mean
// L of all pairs, where empty messages then take less time: with few hops, several axes may need more rounds in all
// than a tree of all hosts.
//
// Cost: on each line of d places T(d), with T(n) = min_k max( o + T(n-k), o + L + T(k) ) and T(1) = 0. A vector of m
// bytes adds m/bandwidth to L, on a link that messages to the same side share while they are under way; in reduce, each
// message costs m/reduction besides. Over all hosts, messages of several ranks meet on links: m/bandwidth counts twice.
//
// Source: Karp, Sahay, Santos, Schauser, "Optimal broadcast and summation in the LogP model", SPAA 1993. Needs: hosts
// in a box of a torus or mesh, perhaps with extra hosts: hops on a line that winds through it say nothing about L.
// Combines in rank order if ranks follow the grid; rings are then lines.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/tree/dimension_tree.hpp"
#include "coll_topo/algorithm/tree/line_division.hpp"
#include "coll_topo/grid/grid_builder.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// Seconds of a few calls that follow each other without a barrier: of the first, and the work of the root in those
/// after it. A flat tree is soonest done with one call, but its root is long at work on each.
double seconds_of_calls(const LineDivision& division, double message_time) {
    constexpr int calls = 4;
    return division.seconds_from_end(message_time) + (calls - 1) * division.sends_from_end() * message_time;
}

/// A message that is taken to cost its sender more makes the tree less wide.
LineDivision division_for_calls(double message_time, const Axis& axis, int root) {
    LineDivision best(message_time, axis, root);
    for (double taken_for = 2 * message_time; taken_for < axis.way_latency(1) && message_time > 0; taken_for *= 2) {
        LineDivision other(taken_for, axis, root);
        if (seconds_of_calls(other, message_time) < seconds_of_calls(best, message_time)) best = std::move(other);
    }
    return best;
}

dimension_tree::TreeOnLine cut(const MachineCosts& costs, const Axis& axis, int root) {
    return [division = division_for_calls(costs.message_time, axis, root)](int own) { return division.of(own); };
}

// No limit: the sooner the next one is on its way, the better.
constexpr dimension_tree::Shape shape{.cut = cut, .sends_at_once = 0};

/// The grid as it is, or with all hosts on one axis.
class Lines {
public:
    Lines(const Grid& grid, const Problem& problem) : grid_(&grid) {
        if (grid.axes().size() < 2 && grid.extra_hosts() == 0) return;
        line_.emplace(GridBuilder::on_one_axis(grid));
        const bool less =
            dimension_tree::seconds(*line_, problem, 0, shape) < dimension_tree::seconds(grid, problem, 0, shape);
        if (less) grid_ = &*line_;
    }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    const Grid& grid() const { return *grid_; }
    bool over_all_hosts() const { return line_ && grid_ == &*line_; }

private:
    const Grid* grid_;
    std::optional<Grid> line_;
};

Program build(const Grid& grid, const Problem& problem, int rank) {
    return dimension_tree::build(Lines(grid, problem).grid(), problem, rank, shape);
}

std::vector<Program> build_all(const Grid& grid, const Problem& problem) {
    const Lines lines(grid, problem);
    return programs_of_all_ranks(grid,
                                 [&](int rank) { return dimension_tree::build(lines.grid(), problem, rank, shape); });
}

bool in_order(const Grid& grid, const Problem& problem) {
    return dimension_tree::in_order(Lines(grid, problem).grid(), problem);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const Lines lines(grid, problem);
    return dimension_tree::seconds(lines.grid(), problem, (lines.over_all_hosts() ? 2 : 1) * bytes, shape);
}

std::string refusal(const Grid& grid, const Problem&) {
    return grid.winds() ? "these hosts form no box of the torus, and it goes by hops" : "";
}

}  // namespace

extern constinit const Algorithm logp_tree{
    .name = "logp_tree",
    .summary =
        "whole vectors along trees as wide as latency makes them worth; for the smallest messages on tori and meshes",
    .collectives = any({Collective::bcast, Collective::reduce}),
    .network = Network::torus,
    .further_refusal = refusal,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
    .build_all = build_all,
};

}  // namespace coll_topo::algorithms
