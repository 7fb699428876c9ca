// SPDX-License-Identifier: BSD-3-Clause
//
// The k-nomial tree in rank order with k = 4: bcast. A reference.
//
//     distance 4:  0 -> 4, 8, 12
//     distance 1:  0 -> 1, 2, 3    4 -> 5, 6, 7    8 -> 9, 10, 11    12 -> 13, 14, 15
//
// Ranks count from the root, modulo p. In each step those that have the vector send it to three others.
//
// Cost for m bytes on links of their own: latency for each level, and o + m/bandwidth for each child of those on a
// path, which share the links of the rank that sends to them. Messages are followed (MessageTimeline).
//
// Source: Open MPI's tuned component, whose tree it is; far ranks come first.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/whole_vectors.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <cstdint>

namespace coll_topo::algorithms {
namespace {

constexpr int radix = 4;

/// Of the first step.
int longest_distance(int ranks) {
    int distance = 1;
    while (distance * std::int64_t{radix} < ranks) distance *= radix;
    return distance;
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    constexpr Blocks vector{Buffer::output, 0, 1};
    const int ranks = grid.ranks(), own = (rank - problem.root + ranks) % ranks;
    const auto numbered = [&](int number) { return (problem.root + number) % ranks; };
    ProgramBuilder builder(1, 0);
    builder.lane();
    for (int distance = longest_distance(ranks); distance > 0; distance /= radix) {
        const int before = own / distance % radix * distance;
        if (own % distance == 0 && before > 0) builder.receive(numbered(own - before), vector);
        for (int further = 1; own % distance == 0 && before == 0 && further < radix; ++further) {
            const int other = own + further * distance;
            if (other < ranks) builder.send(numbered(other), vector);
        }
        builder.next_step();
    }
    return builder.finish();
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return bcast_of_whole_vectors(grid, problem.root, bytes, [&](int own, auto&& visit) {
        for (int distance = longest_distance(grid.ranks()); distance > 0; distance /= radix) {
            if (own % (distance * radix) != 0) continue;
            for (int further = 1; further < radix && own + further * distance < grid.ranks(); ++further) {
                visit(own + further * distance);
            }
        }
    });
}

}  // namespace

extern constinit const Algorithm knomial{
    .name = "knomial",
    .summary = "reference: whole vectors along a tree of radix 4",
    .collectives = only(Collective::bcast),
    .reference = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
