// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/breadth_first/host_links.hpp"
#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coll_topo {

/// How the shards of all hosts spread breadth first: in round t every host takes the shards whose owners are at
/// distance t from those neighbours that are nearer to them, over its ports, so that all end as early as they can.
/// Neighbours are those of HostLinks; distances count cables or, in a torus with many empty cells, links.
class BreadthFirst {
public:
    /// Cuts [first, first + count) of the shard of a host.
    struct Arrival {
        std::int32_t owner;
        std::int16_t first;
        std::int16_t count;
    };

    /// What arrives at one host, by round (one for each distance) and port (the number of one of its links).
    class Table {
    public:
        int rounds() const { return ports_ == 0 ? 0 : static_cast<int>(begin_.size() - 1) / ports_; }
        int ports() const { return ports_; }
        /// Of round 0 .. rounds()-1, for distances 1 .. rounds().
        std::span<const Arrival> over(int round, int port) const {
            const std::size_t list = static_cast<std::size_t>(round) * ports_ + port;
            return {arrivals_.data() + begin_[list], arrivals_.data() + begin_[list + 1]};
        }

    private:
        friend class BreadthFirst;
        int ports_ = 0;
        std::vector<Arrival> arrivals_;
        std::vector<std::int32_t> begin_ = {0};  // by round and port, and the end
    };

    /// Cuts shards into the fewest blocks, up to `most_cuts`, that load the ports of the busiest host evenly, or as
    /// evenly as possible.
    BreadthFirst(const Grid& grid, int most_cuts);

    /// Why there are no such tables for a grid on a torus, or empty: the links of its hosts must connect them all.
    static std::string refusal(const Grid& grid);

    int cuts() const { return cuts_; }
    const HostLinks& links() const { return links_; }

    /// The same on all ranks. Takes time that grows with the number of hosts.
    Table table(int host) const;

    /// The host whose links together have the least bandwidth; of several, the first.
    int busiest_host() const;

private:
    struct Kind;
    struct Round;

    std::vector<Round> rounds(int host) const;
    void choose_cuts(int most_cuts);

    HostLinks links_;
    bool by_cables_;  // how distances count
    int cuts_ = 1;
};

}  // namespace coll_topo
