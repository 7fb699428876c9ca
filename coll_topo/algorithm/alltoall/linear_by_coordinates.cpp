// SPDX-License-Identifier: BSD-3-Clause
//
// Linear alltoall on a torus or mesh in the order of relative coordinates. Reference.
//
//     cell (x, y):  -> (x, y+1), (x, y+2), …, (x+1, y), (x+1, y+1), …      modulo the sizes
//
// All messages are posted at once, those to one offset before those to the next; ranks of a host send to those
// of another in rotated order. Data go straight from their place to their place.
//
// Cost: as linear.
//
// Source: the order "A2AND" that A2AT is compared with in its paper: H. Takaue et al., "Optimal all-to-all
// communication algorithm on 2-dimensional mesh network and torus network", IPSJ Transactions on Advanced Computing
// Systems, 2010.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/schedule/builder.hpp"

namespace coll_topo::algorithms {
namespace {

/// All offsets of a torus as OffsetOrder gives them, 0 first, the last coordinate fastest.
std::vector<std::int64_t> offsets_of(const Torus& torus) {
    std::vector<std::int64_t> offsets = {0};
    std::int64_t stride = 1;
    for (const TorusDimension& dimension : torus.dimensions()) {
        std::vector<std::int64_t> longer;
        for (const std::int64_t offset : offsets) {
            for (int c = 0; c < dimension.size; ++c) longer.push_back(offset + c * stride);
        }
        offsets = std::move(longer);
        stride *= dimension.size;
    }
    return offsets;
}

/// The rank of a number on a host, or -1.
int rank_at(const Grid& grid, int host, int number) {
    if (host < 0) return -1;
    const auto local_ranks = grid.ranks_of_host(host);
    return number < static_cast<int>(local_ranks.size()) ? local_ranks[number] : -1;
}

Program build(const Grid& grid, const Problem&, int rank) {
    const HostCells& cells = *grid.cells();
    const std::int64_t own = cells.cell(grid.host(rank));
    const int number = grid.local_rank(rank), numbers = grid.most_ranks_per_host();
    ProgramBuilder builder(grid.ranks(), 0);
    builder.lane();
    builder.copy({Buffer::input, rank, 1}, Buffer::output, rank);
    for (const std::int64_t offset : offsets_of(cells.part())) {
        const int ahead = cells.host_at(cells.ahead(own, offset));
        const int behind = cells.host_at(cells.behind(own, offset));
        for (int rotation = offset == 0 ? 1 : 0; rotation < numbers; ++rotation) {
            const int to = rank_at(grid, ahead, (number + rotation) % numbers);
            const int from = rank_at(grid, behind, (number + numbers - rotation) % numbers);
            if (from >= 0) builder.receive(from, {Buffer::output, from, 1});
            if (to >= 0) builder.send(to, {Buffer::input, to, 1});
        }
    }
    return builder.finish();
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    const double piece = bytes / grid.ranks();
    return RankOrderCost(grid).all_at_once(piece) + piece / grid.costs_together().copy_bandwidth;
}

}  // namespace

extern constinit const Algorithm linear_by_coordinates{
    .name = "linear_by_coordinates",
    .summary = "reference: all messages at once, on a torus by relative coordinates, the last one fastest",
    .collectives = only(Collective::alltoall),
    .network = Network::torus,
    .receivers_at_once = ReceiversAtOnce::all,
    .reference = true,
    .direct = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
