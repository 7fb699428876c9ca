// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/breadth_first/breadth_first.hpp"
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"

#include <memory>
#include <span>
#include <vector>

namespace coll_topo::breadth_first {

/// Reduce-scatter and allgather breadth first instead of halving and doubling: who takes what from whom. How that is
/// put into messages is left to derived classes.
class SpreadLane : public halving_doubling::LaneWriter {
public:
    SpreadLane(ProgramBuilder& builder, const Grid& grid, const Problem& problem, int rank,
               const StageOrder& stage_order, const Layout& layout, const BreadthFirst& spread,
               std::vector<std::int32_t>& scratch_order)
        : LaneWriter(builder, grid, problem, rank, 0, stage_order, layout),
          spread_(spread),
          scratch_order_(scratch_order) {}

protected:
    void halve() override;
    void double_up() override;

    /// Reduce-scatter, where a round is run backwards, and allgather.
    virtual void gather_sums(int rounds) = 0;
    virtual void spread_shards(int rounds) = 0;

    int ports() const { return static_cast<int>(neighbours_.size()); }
    /// The rank to which a port of this host leads.
    int neighbour(int port) const { return peer(neighbours_[port].host); }
    /// What this host takes over a port in a round of allgather, and what it gives. Reduce-scatter sends what it takes
    /// here and receives what it gives.
    std::span<const BreadthFirst::Arrival> taken(int round, int port) const;
    std::span<const BreadthFirst::Arrival> given(int round, int port) const;

    /// More scratch: blocks as large as these, one after the other.
    Blocks add_scratch_like(std::span<const Blocks> runs);

    Blocks shard(const BreadthFirst::Arrival& arrival) const {
        return slice(arrival.owner, arrival.first, arrival.count);
    }

private:
    struct Neighbour {
        int host;
        int port;  ///< of the neighbour, that leads here
        BreadthFirst::Table table;
    };

    /// The number of rounds in which this host has messages.
    int meet_neighbours();

    const BreadthFirst& spread_;
    std::vector<std::int32_t>& scratch_order_;  ///< of the program
    BreadthFirst::Table own_;
    std::vector<Neighbour> neighbours_;  // by port; none before the first exchange
};

/// Makes a lane of one kind.
using MakeLane = std::unique_ptr<SpreadLane> (*)(ProgramBuilder& builder, const Grid& grid, const Problem& problem,
                                                 int rank, const StageOrder& stage_order, const Layout& layout,
                                                 const BreadthFirst& spread, std::vector<std::int32_t>& scratch_order);

template <typename Lane>
std::unique_ptr<SpreadLane> make_lane(ProgramBuilder& builder, const Grid& grid, const Problem& problem, int rank,
                                      const StageOrder& stage_order, const Layout& layout, const BreadthFirst& spread,
                                      std::vector<std::int32_t>& scratch_order) {
    return std::make_unique<Lane>(builder, grid, problem, rank, stage_order, layout, spread, scratch_order);
}

/// The program of one rank.
Program build(const Grid& grid, const Problem& problem, int rank, MakeLane make_lane);

/// Into how many blocks a shard may be cut; one of several ranks' pieces, which lie one after the other, stays whole.
int most_cuts(const Grid& grid, const Problem& problem);

}  // namespace coll_topo::breadth_first
