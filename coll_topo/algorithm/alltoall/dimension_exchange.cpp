// SPDX-License-Identifier: BSD-3-Clause
//
// Exchange along one dimension after the other: alltoall of small and middle messages on a torus or mesh.
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
// Cost for m bytes on each of p ranks, q of them on a host, D lanes, l_i = d_i/8 on a ring and d_i/4 on a line:
//     D·sum(d_i - 1)·o + hops·latency + max( max_i, sum_i / D ) [ l_i·q·m / bandwidth ] + (D+1)·m/copy + host.
//
// Source: Bokhari, Berryman, "Complete exchange on a circuit switched mesh", SHPCC 1992; Suh, Shin, "All-to-all
// personalized communication in multidimensional torus and mesh networks", IEEE TPDS 12(1), 2001.
// Needs: a torus or mesh.

#include "coll_topo/algorithm/alltoall/dimension_exchange.hpp"

#include "coll_topo/algorithm/alltoall/combining_stage.hpp"

#include <algorithm>

namespace coll_topo::dimension_exchange {

Program build(const Grid& grid, const Problem& problem, int rank) {
    return build_combining(grid, problem, AlongAxis::to_each, rank);
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return combining_seconds(grid, problem, AlongAxis::to_each, bytes);
}

std::string refusal(const Grid& grid, const Problem&) {
    if (grid.switched()) return "passes data on from host to host, which is no use where switches join them";
    return {};
}

std::vector<int> lane_counts(const Grid& grid) {
    return {std::max(1, static_cast<int>(grid.axes().size()))};
}

}  // namespace coll_topo::dimension_exchange
