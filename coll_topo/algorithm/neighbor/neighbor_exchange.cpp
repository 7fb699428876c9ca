// SPDX-License-Identifier: BSD-3-Clause
//
// Exchange with all neighbours of a Cartesian communicator at once: neighbor_allgather and neighbor_alltoall.
//
//     lane 0: all that goes up                lane 1: all that goes down
//
//           ^   ^   ^                               |   |   |
//         > a > b > c >                           < a < b < c <
//           ^   ^   ^                               v   v   v
//
// Every rank sends to the next rank of each dimension what is for it, and at once, in the other lane, to the one
// before. What goes up is received as what comes from below: between two ranks that are each other's neighbour on both
// sides, in a periodic dimension of two, lanes keep the two messages apart. In a periodic dimension of one a rank
// copies both pieces. Messages to other hosts begin before those within the host.
//
// On a torus or mesh, if neighbours are neighbouring hosts and a host has one rank, each cable carries one message each
// way, all ports are busy at once, and no schedule is faster. In a ring of two both messages take the same one of the
// two cables. Other modules send the same messages: what this row adds is that they are proved and predicted, that they
// go through memory within a host, and that a nonblocking or persistent call is driven as all others are.
//
// Cost for m bytes for n neighbours, if at most c messages share a cable:
//     n·o + latency + c·(m/n)/bandwidth, or the time of what a rank gets within its host.
//
// Needs: a Cartesian communicator on a torus or mesh, whose neighbours are on one host or one cable apart.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <string>

namespace coll_topo::algorithms {
namespace {

/// Writes the program of one rank.
class Writer {
public:
    Writer(const Grid& grid, const Problem& problem, int rank)
        : grid_(grid),
          neighbors_(*grid.cartesian()),
          one_for_all_(problem.collective == Collective::neighbor_allgather),
          rank_(rank),
          builder_(neighbors_.neighbors(), 0) {}

    Program build() {
        for (const int target : {1, 0}) write_lane(target);
        return builder_.finish();
    }

private:
    /// The messages to the neighbours behind (`target` 1) or before (0) in every dimension.
    void write_lane(int target) {
        builder_.lane();
        for (const bool local : {false, true}) {
            for (int to = target; to < neighbors_.neighbors(); to += 2) write_messages(to, local);
        }
    }

    /// What is sent to a neighbour, and what comes from the opposite one, if these are local.
    void write_messages(int to, bool local) {
        const int target = neighbors_.neighbor(rank_, to), from = Cartesian::opposite(to);
        const int source = neighbors_.neighbor(rank_, from);
        const int sent = one_for_all_ ? 0 : to;
        if (target == rank_) {
            if (local) builder_.copy({Buffer::input, sent, 1}, Buffer::output, from);
            return;
        }
        if (source >= 0 && is_local(source) == local) builder_.receive(source, {Buffer::output, from, 1});
        if (target >= 0 && is_local(target) == local) builder_.send(target, {Buffer::input, sent, 1});
    }

    bool is_local(int other) const { return grid_.host(other) == grid_.host(rank_); }

    const Grid& grid_;
    const Cartesian& neighbors_;
    const bool one_for_all_;
    const int rank_;
    ProgramBuilder builder_;
};

Program build(const Grid& grid, const Problem& problem, int rank) {
    return Writer(grid, problem, rank).build();
}

/// visit(rank, neighbour) for all neighbours that there are, until one returns false.
template <typename Visit>
void for_each_neighbor(const Grid& grid, Visit visit) {
    const Cartesian& cartesian = *grid.cartesian();
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        for (int number = 0; number < cartesian.neighbors(); ++number) {
            const int neighbor = cartesian.neighbor(rank, number);
            if (neighbor >= 0 && !visit(rank, neighbor)) return;
        }
    }
}

std::string refusal(const Grid& grid, const Problem&) {
    if (grid.cartesian() == nullptr) return "the communicator has no Cartesian topology";
    std::string why;
    for_each_neighbor(grid, [&](int rank, int neighbor) {
        const int apart = grid.cells()->cables(grid.host(rank), grid.host(neighbor));
        if (apart <= 1) return true;
        why = "neighbours " + std::to_string(rank) + " and " + std::to_string(neighbor) + " are " +
              std::to_string(apart) + " cables apart";
        return false;
    });
    return why;
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    RankOrderCost cost(grid);
    const double piece = bytes / grid.cartesian()->neighbors();
    double copies = 0;
    for_each_neighbor(grid, [&](int rank, int neighbor) {
        if (neighbor != rank) {
            cost.message(rank, neighbor, piece);
        } else if (rank == 0) {
            copies += piece / grid.costs_together().copy_bandwidth;
        }
        return true;
    });
    return cost.step() + copies;
}

}  // namespace

extern constinit const Algorithm neighbor_exchange{
    .name = "neighbor_exchange",
    .summary = "messages to all neighbours of a Cartesian communicator at once, over all ports",
    .collectives = any({Collective::neighbor_allgather, Collective::neighbor_alltoall}),
    .network = Network::torus,
    .direct = true,
    .further_refusal = refusal,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
