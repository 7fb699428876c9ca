// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/placement/leaf_arrangement.hpp"
#include "coll_topo/placement/placement.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coll_topo {

/// One axis of a grid of hosts.
struct Axis {
    std::string name;
    int size = 1;
    bool wrapped = false;  ///< the last place is a neighbour of the first
    double bandwidth = 0;  ///< bytes/s between neighbours, both cables counted where two join them
    double latency = 0;    ///< seconds between neighbours
};

/// What an algorithm sees of the machine: the hosts of a communicator as a full box of places on ordered axes, each
/// host carrying a board of one or more ranks, and the surplus hosts that do not fit in the box, each adopted by one
/// host of the box. Hosts 0 .. places()-1 are the box, first axis fastest; surplus hosts follow.
class Grid {
public:
    /// The largest box found among the hosts of the placement. If it would not hold more than half of the hosts, all
    /// hosts stand on one axis in cell order instead. Fails if the fabric is not a torus.
    static Expected<Grid> from_torus(const Fabric& fabric, const Placement& placement);

    /// On switches: the hosts of a leaf on one axis and the leaves on another if all leaves in use have equally many
    /// hosts of the placement, else line_of_hosts().
    static Expected<Grid> from_switches(const Fabric& fabric, const Placement& placement);

    /// The grid for whatever network the fabric is.
    static Expected<Grid> from_fabric(const Fabric& fabric, const Placement& placement);

    /// All hosts on one axis, in the order of the cells or leaf by leaf, whatever the network: for looking at schedules
    /// where from_torus() has no grid. The axis is as fast as the slowest link of the file; links whose bandwidth is
    /// not known do not count.
    static Expected<Grid> line_of_hosts(const Fabric& fabric, const Placement& placement);

    /// The axes with more than one place, in the order of the file.
    const std::vector<Axis>& axes() const { return axes_; }
    int ranks() const { return static_cast<int>(host_of_rank_.size()); }
    int hosts() const { return static_cast<int>(board_begin_.size()) - 1; }
    int places() const { return places_; }
    int surplus() const { return hosts() - places_; }

    int host(int rank) const { return host_of_rank_[rank]; }
    int board_index(int rank) const { return board_index_of_rank_[rank]; }

    /// The ranks on a host in ascending order.
    std::span<const std::int32_t> board(int host) const {
        return {board_.data() + board_begin_[host], board_.data() + board_begin_[host + 1]};
    }
    int smallest_board() const { return smallest_board_; }
    int largest_board() const { return largest_board_; }

    /// Board index of aggregator `number` of `aggregators` on a host: all ranks in order if every rank is one, else as
    /// many different memory domains as there are.
    int aggregator_index(int host, int number, int aggregators) const;
    int aggregator_rank(int host, int number, int aggregators) const {
        return board(host)[aggregator_index(host, number, aggregators)];
    }
    /// The number of the aggregator that a rank is, or -1.
    int aggregator_number(int rank, int aggregators) const;

    /// How many aggregators a host should have by its memory domains, 1 .. smallest_board().
    int natural_aggregators() const { return natural_aggregators_; }

    /// The host of the box that stands in for a surplus host, and the surplus host it stands in for, or -1.
    int adopter(int surplus_host) const { return adopter_[surplus_host - places_]; }
    int adopted(int place) const { return adopted_.empty() ? -1 : adopted_[place]; }

    /// The hosts by leaf switches; empty on a torus.
    const LeafArrangement& leaves() const { return leaves_; }

    /// One line for people: "4x4 hosts, 2 ranks each, 1 surplus host".
    std::string summary() const;

private:
    friend class GridBuilder;

    std::vector<Axis> axes_;
    int places_ = 1;
    int smallest_board_ = 0;
    int largest_board_ = 0;
    int natural_aggregators_ = 1;
    LeafArrangement leaves_;
    std::vector<std::int32_t> host_of_rank_;
    std::vector<std::int32_t> board_index_of_rank_;
    std::vector<std::int32_t> board_begin_;
    std::vector<std::int32_t> board_;
    std::vector<std::int32_t> preference_;  // per host: board indices, one of each memory domain first; empty: in order
    std::vector<std::int32_t> adopter_;     // by surplus host
    std::vector<std::int32_t> adopted_;     // by place; empty without surplus hosts
};

}  // namespace coll_topo
