// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"
#include "coll_topo/schedule/program.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo {

/// The most lanes of a schedule.
inline constexpr int most_lanes = 16;

/// What is asked of a schedule, besides the grid. Everything here is equal on all ranks.
struct Problem {
    Collective collective = Collective::allreduce;
    /// Ranks of each host that reduce and talk to other hosts, 1 .. Grid::fewest_ranks_per_host().
    int aggregators = 1;
    int lanes = 1;     ///< parts of the data that take different ways at once, 1 .. most_lanes
    int segments = 1;  ///< parts of the data that follow each other in a pipeline, >= 1
    int root = 0;      ///< rank that has (bcast) or gets (reduce) the data
    /// Operands must be combined in rank order. Ignored by rows whose in_order() is always false.
    bool in_rank_order = false;

    bool operator==(const Problem&) const = default;
};

/// The programs of all ranks, each as `build_one(rank)` makes it.
template <typename BuildOne>
std::vector<Program> programs_of_all_ranks(const Grid& grid, BuildOne&& build_one) {
    std::vector<Program> programs;
    programs.reserve(grid.ranks());
    for (int rank = 0; rank < grid.ranks(); ++rank) programs.push_back(build_one(rank));
    return programs;
}

/// The networks that an algorithm is for.
enum class Network : std::uint8_t {
    any,
    torus,     ///< tori and meshes
    switches,  ///< fat trees and all other networks of switches
};

/// To how many others a rank sends at once in each lane.
enum class ReceiversAtOnce : std::uint8_t { one, several_through_switches, several, all };

/// One row of the catalogue: all there is to know about an algorithm. Each stands at the end of the algorithm's .cpp.
struct Algorithm {
    std::string_view name;      ///< as in MCA parameters
    std::string_view summary;   ///< one line for people
    std::uint32_t collectives;  ///< bit 1 << Collective for each it serves
    Network network = Network::any;

    bool uses_lanes = false;        ///< Problem::lanes > 1 makes a difference
    bool uses_aggregators = false;  ///< Problem::aggregators makes a difference
    bool uses_segments = false;     ///< Problem::segments > 1 makes a difference
    bool spreads = false;  ///< sends shards separately over all ports of a host, so not chosen for short vectors
    ReceiversAtOnce receivers_at_once = ReceiversAtOnce::one;
    /// Textbook algorithm that ignores the network: run only if asked for, where there is none, or if clearly faster.
    bool reference = false;
    /// Operands are combined in an order that depends only on coordinates, the same on all ranks, in every call and for
    /// every length: run only when that is asked for, or by name. All these rows give the same bits.
    bool fixed_order = false;
    /// A row of fixed order that is also considered where no order is asked for.
    bool also_in_any_order = false;
    /// alltoall: a message goes directly from a rank's piece in `input` to its place in `output`. The sizes of pieces
    /// then concern only the two ranks of each, and the same schedule serves alltoallv and alltoallw. gather, scatter:
    /// no rank passes on pieces of others, so that gatherv and scatterv need not bring ranks the sizes first.
    bool direct = false;

    /// Lane counts to consider, ascending from 1; null: one, one for each axis, one for each direction of each axis.
    std::vector<int> (*lane_counts)(const Grid&, Collective) = nullptr;
    /// Aggregator counts to consider, ascending; null: what the memory domains of a host suggest.
    std::vector<int> (*aggregator_counts)(const Grid&) = nullptr;
    /// Why it cannot serve a problem on a network that it is for, or empty; null: it serves all of them.
    std::string (*further_refusal)(const Grid&, const Problem&) = nullptr;
    /// Operands are combined in rank order, so that the operation need not commute.
    bool (*in_order)(const Grid&, const Problem&);
    /// Predicted seconds for `bytes` of data (one rank's whole vector; allgather: all pieces together).
    double (*seconds)(const Grid&, const Problem&, double bytes);
    /// The same for any number of segments, where most of the work is the same for all; null: it is not. The grid must
    /// outlive what it gives.
    std::function<double(int segments, double bytes)> (*seconds_in_segments)(const Grid&, const Problem&) = nullptr;
    /// The program of one rank.
    Program (*build)(const Grid&, const Problem&, int rank);
    /// Those of all ranks, where that takes much less than one by one; null: it does not.
    std::vector<Program> (*build_all)(const Grid&, const Problem&) = nullptr;

    /// The programs of all ranks, in the way that takes less time.
    std::vector<Program> all_programs(const Grid& grid, const Problem& problem) const {
        if (build_all != nullptr) return build_all(grid, problem);
        return programs_of_all_ranks(grid, [&](int rank) { return build(grid, problem, rank); });
    }

    bool serves(Collective collective) const { return (collectives >> static_cast<unsigned>(collective)) & 1u; }
    bool serves(Call call) const {
        const Collective schedule = schedule_of(call);
        return serves(schedule) && (direct || !has_unequal_pieces(call) || moves_pieces(schedule));
    }

    /// Empty if the algorithm can serve this problem, else why not.
    std::string refusal(const Grid& grid, const Problem& problem) const {
        if (network == Network::torus && grid.switched()) return "made for tori and meshes";
        if (network == Network::switches && !grid.switched()) return "made for networks of switches";
        return further_refusal == nullptr ? std::string() : further_refusal(grid, problem);
    }
};

/// For rows that combine operands in an order of their own.
inline bool in_order_if_nothing_is_combined(const Grid&, const Problem& problem) {
    return !combines(problem.collective);
}

}  // namespace coll_topo
