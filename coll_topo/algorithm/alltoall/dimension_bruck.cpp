// SPDX-License-Identifier: BSD-3-Clause
//
// Bruck's alltoall along one dimension after the other, for the smallest messages on a torus or mesh.
//
//     line of 5, what has to go 3 places on:   first 1 place with all of 1, 3;   then 2 places with all of 2, 3
//
// As exchange along dimensions (dimension_exchange.cpp), but on a line of d places every rank sends only
// ceil(log2 d) messages: to the place 1, 2, 4, ... further on, with all that has this bit in what is left of its way.
// The network knows every one of these distances as a short way along one axis, which those of ranks are not.
//
// Cost for m bytes on each of p ranks, q of them on a host, for each bit w of each axis about
//     o + hops·latency + min(w, d_i - w)·q·m/2 / bandwidth + m/2 / copy; and the host.
//
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all communications in multiport
// message-passing systems", IEEE TPDS 8(11), 1997; on each dimension as in dimension_exchange.cpp.
// Needs: a torus or mesh.

#include "coll_topo/algorithm/alltoall/dimension_bruck.hpp"

#include "coll_topo/algorithm/alltoall/combining_stage.hpp"
#include "coll_topo/algorithm/alltoall/dimension_exchange.hpp"

namespace coll_topo::dimension_bruck {

Program build(const Grid& grid, const Problem& problem, int rank) {
    return build_combining(grid, problem, AlongAxis::doubling, rank);
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return combining_seconds(grid, problem, AlongAxis::doubling, bytes);
}

std::string refusal(const Grid& grid, const Problem& problem) {
    return dimension_exchange::refusal(grid, problem);
}

}  // namespace coll_topo::dimension_bruck
