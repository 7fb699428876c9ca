// SPDX-License-Identifier: BSD-3-Clause
//
// Alltoall of small and middle messages on a torus or mesh: exchange along one dimension after the other.
//
//     x: all that is for a column      y: all that has reached the column
//
//        a b c d                          a
//        +-+-+-+  a -> b: everything      +  a -> b: what the row of a has for b
//                 for b's column          b
//
// Every rank sends to each other place on its line of the first axis one message with all that is for places with
// that coordinate, whatever their others; then along the next axis what has come in, sorted anew; and so on: a message
// for each other place of each line, sum(d_i - 1) of them instead of p - 1, and of p/d_i pieces. Each piece goes the
// way of dimension-order routing, so that links carry no more than if it were sent directly. With one lane the axes are
// busy one after the other. With D lanes each piece is cut in D slices, slice k beginning with axis k, and all axes are
// busy all the time. On a ring the messages of a line leave in the order of A2AT: near places first, each with the one
// as far the other way.
//
// Several ranks on a host: they first give each aggregator of their host what is for ranks that aggregators of its
// number serve; aggregators of one number form a torus of their own; at the end they hand out what has come for the
// ranks they serve. With one aggregator there is one message between two hosts of a line. Ranks of an extra host do
// all that with the aggregators of their proxy.
//
// Cost for m bytes on each of p ranks, q of them on a host, D lanes, l_i = d_i/8 on a ring, d_i/4 on a line or in a
// ring of two:
//     D·sum(d_i - 1)·o + hops·latency + max( max_i, sum_i / D ) [ l_i·q·m / bandwidth ] + (D+1)·m/copy + host.
//
// dimension_bruck, for the smallest messages, does the same with Bruck's algorithm on each line:
//
//     line of 5, what has to go 3 places on:   first 1 place with all of 1, 3;   then 2 places with all of 2, 3
//
// On a line of d places every rank sends only ceil(log2 d) messages: to the place 1, 2, 4, ... further on, with all
// that has this bit in what is left of its way. On the network each of these is a short way along one axis, which
// distances between ranks are not. Cost for each bit w of each axis about
//     o + hops·latency + min(w, d_i - w)·q·m/2 / bandwidth + m/2 / copy; and the host.
//
// Source: Bokhari, Berryman, "Complete exchange on a circuit switched mesh", SHPCC 1992; Suh, Shin, "All-to-all
// personalized communication in multidimensional torus and mesh networks", IEEE TPDS 12(1), 2001; Bruck, Ho, Kipnis,
// Upfal, Weathersby, "Efficient algorithms for all-to-all communications in multiport message-passing systems", IEEE
// TPDS 8(11), 1997.
// Needs: dimension_exchange a torus or mesh; dimension_bruck nothing. Through switches the lines are the hosts of a
// leaf, and leaves, or, if that leaves hosts out, all hosts.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/alltoall/combining_stage.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/grid/grid_builder.hpp"

#include <algorithm>

namespace coll_topo::algorithms {
namespace {

Program build_exchange(const Grid& grid, const Problem& problem, int rank) {
    return build_combining(grid, problem, AlongAxis::to_each, rank);
}

double exchange_seconds(const Grid& grid, const Problem& problem, double bytes) {
    return combining_seconds(grid, problem, AlongAxis::to_each, bytes);
}

/// Through switches a step takes as long however far it goes, so hosts outside the box are better off on a longer line.
bool wants_one_axis(const Grid& grid) {
    return grid.switched() && grid.extra_hosts() > 0;
}

Program build_bruck(const Grid& grid, const Problem& problem, int rank) {
    if (wants_one_axis(grid)) {
        return build_combining(GridBuilder::on_one_axis(grid), problem, AlongAxis::doubling, rank);
    }
    return build_combining(grid, problem, AlongAxis::doubling, rank);
}

double bruck_seconds(const Grid& grid, const Problem& problem, double bytes) {
    if (wants_one_axis(grid)) {
        return combining_seconds(GridBuilder::on_one_axis(grid), problem, AlongAxis::doubling, bytes);
    }
    return combining_seconds(grid, problem, AlongAxis::doubling, bytes);
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

/// As many lanes as axes.
std::vector<int> lane_counts(const Grid& grid, Collective) {
    return {std::max(1, static_cast<int>(grid.axes().size()))};
}

}  // namespace

extern constinit const Algorithm dimension_bruck{
    .name = "dimension_bruck",
    .summary = "pieces packed into ceil(log2 d) messages along each axis; for the smallest messages",
    .collectives = only(Collective::alltoall),
    .uses_aggregators = true,
    .aggregator_counts = combining_aggregator_counts,
    .in_order = in_order,
    .seconds = bruck_seconds,
    .build = build_bruck,
};

extern constinit const Algorithm dimension_exchange{
    .name = "dimension_exchange",
    .summary = "pieces packed into one message to each place of a line, axis after axis; in lanes",
    .collectives = only(Collective::alltoall),
    .network = Network::torus,
    .uses_lanes = true,
    .uses_aggregators = true,
    .lane_counts = lane_counts,
    .aggregator_counts = combining_aggregator_counts,
    .in_order = in_order,
    .seconds = exchange_seconds,
    .build = build_exchange,
};

}  // namespace coll_topo::algorithms
