// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/placement/grid.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// How the shards of all places of a full torus spread breadth first: in round t every place takes the shards whose
/// owners are at distance t, over its ports in proportion to their bandwidth. All places do the same, so that one
/// table, by how far the receiver is from the owner, is for all of them.
class BreadthFirst {
public:
    /// One cable of a place, named by the way of what arrives over it. A ring of two has one: messages between two
    /// hosts all take the same cable.
    struct Port {
        int axis;
        int way;  ///< of the message along the axis, 1 or -1
        double bandwidth;
    };

    /// Cuts [first, first + count) of the shard whose owner is so far before the receiver, over a port. `offset` is the
    /// place as far from place 0 as the receiver is from the owner.
    struct Arrival {
        std::int32_t offset;
        std::int16_t port;
        std::int16_t first;
        std::int16_t count;
    };

    /// Cuts shards into the fewest blocks, up to `most_cuts`, that load the ports evenly, or else most evenly.
    BreadthFirst(const Grid& grid, int most_cuts);

    /// Why a grid has no such table, or empty: it must be a full torus.
    static std::string refusal(const Grid& grid);

    int cuts() const { return cuts_; }
    int rounds() const { return rounds_; }
    const std::vector<Port>& ports() const { return ports_; }

    /// What arrives at once, at most one message over each port; a round is some turns, which need not wait for each
    /// other. Rounds in order.
    int turns() const { return static_cast<int>(turn_begin_.size()) - 1; }
    std::span<const Arrival> turn(int index) const {
        return {arrivals_.data() + turn_begin_[index], arrivals_.data() + turn_begin_[index + 1]};
    }

    /// The place from which a place receives over a port, and the one it sends to over the same port of that one.
    int before(int place, const Port& port) const { return beside(place, port.axis, -port.way); }
    int behind(int place, const Port& port) const { return beside(place, port.axis, port.way); }
    /// The owner of a shard that arrives at a place.
    int owner(int place, int offset) const;

private:
    struct Kind;
    struct Round;

    int beside(int place, int axis, int way) const;
    std::vector<Round> sort_by_round() const;
    void choose_cuts(const std::vector<Round>& rounds, int most_cuts);
    void add_turns(const Round& round);

    const Grid* grid_;
    std::vector<Port> ports_;
    std::vector<Arrival> arrivals_;
    std::vector<std::int32_t> turn_begin_ = {0};
    int cuts_ = 1;
    int rounds_ = 0;
};

}  // namespace coll_topo
