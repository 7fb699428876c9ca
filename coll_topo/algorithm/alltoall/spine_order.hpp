// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// In which order the hosts of a projective plane of switches send to all others, so that no two messages of a step
/// meet on a cable; see spine_order.cpp. Used as LeafOrder.
class SpineOrder {
public:
    /// For a grid with LeafArrangement::lines.
    explicit SpineOrder(const Grid& grid);

    int steps() const { return largest_ + shifts_ * slots_ * slots_; }
    /// The hosts that a host sends to and receives from in a step, -1 if there is none. Step 0 is each to itself.
    int to(int host, int step) const;
    int from(int host, int step) const;

private:
    /// How the steps between leaves are numbered.
    struct Step {
        int sender_turn;
        int receiver_turn;
        int shift;
    };
    /// The cable between a leaf and a spine, or none.
    struct Cable {
        std::int32_t line = -1;
        std::int32_t position = 0;  // of the leaf on the line
    };

    Step step_between_leaves(int step) const;
    const Cable& cable(int leaf, int slot) const { return cables_[static_cast<std::size_t>(leaf) * slots_ + slot]; }
    int leaf_on(std::int32_t line, int position) const;
    int slot_at(int leaf, std::int32_t line) const;
    int host_at(int leaf, int index) const;

    const LeafArrangement& arrangement_;
    int largest_;                // hosts of a leaf
    int slots_ = 0;              // cables up from a leaf, or hosts if these are more
    int shifts_ = 0;             // leaves of the longest line, without the sender
    std::vector<Cable> cables_;  // by leaf and slot
};

}  // namespace coll_topo
