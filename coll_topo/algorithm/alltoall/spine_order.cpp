// SPDX-License-Identifier: BSD-3-Clause
//
// Alltoall through a projective plane of switches: any two leaves share one spine, a line of leaves each.
//
//     step (s, q, q')   host i of a leaf takes the cable i + q up to a spine, the message goes s leaves on along the
//                       line of that spine, and the cable j down leads to host j + q' of the leaf there
//
// Cables of a leaf, hosts, and leaves of a line count modulo their number. In a step every cable up carries at most one
// message, since hosts of a leaf take different cables; so does every cable down, since all leaves of a line send
// equally far along it. Any two hosts of different leaves meet in one step: their leaves say which line and how far,
// the cables of that line q and q'. With as many hosts under a leaf as cables above, all cables are busy in every step.
// The steps before are rotations within the leaves.

#include "coll_topo/algorithm/alltoall/spine_order.hpp"

#include <algorithm>

namespace coll_topo {

SpineOrder::SpineOrder(const Grid& grid) : arrangement_(grid.leaves()), largest_(arrangement_.hosts.largest()) {
    std::vector<int> cables_of(arrangement_.hosts.parts(), 0);
    slots_ = largest_;
    for (const auto& line : arrangement_.lines) {
        shifts_ = std::max(shifts_, static_cast<int>(line.size()) - 1);
        for (const std::int32_t leaf : line) slots_ = std::max(slots_, ++cables_of[leaf]);
    }
    cables_.resize(cables_of.size() * static_cast<std::size_t>(slots_));
    std::ranges::fill(cables_of, 0);
    for (std::size_t line = 0; line < arrangement_.lines.size(); ++line) {
        const auto& leaves = arrangement_.lines[line];
        for (std::size_t position = 0; position < leaves.size(); ++position) {
            const int slot = cables_of[leaves[position]]++;
            cables_[static_cast<std::size_t>(leaves[position]) * slots_ + slot] = {static_cast<std::int32_t>(line),
                                                                                   static_cast<std::int32_t>(position)};
        }
    }
}

int SpineOrder::to(int host, int step) const {
    const int index = arrangement_.hosts.index(host), leaf = arrangement_.leaf(host);
    if (step < largest_) return host_at(leaf, (index + step) % largest_);
    const Step now = step_between_leaves(step);
    const Cable& up = cable(leaf, (index + now.sender_turn) % slots_);
    const int target = up.line < 0 ? -1 : leaf_on(up.line, up.position + now.shift);
    if (target < 0 || now.shift >= static_cast<int>(arrangement_.lines[up.line].size())) return -1;
    return host_at(target, (slot_at(target, up.line) + now.receiver_turn) % slots_);
}

int SpineOrder::from(int host, int step) const {
    const int index = arrangement_.hosts.index(host), leaf = arrangement_.leaf(host);
    if (step < largest_) return host_at(leaf, (index + largest_ - step) % largest_);
    const Step now = step_between_leaves(step);
    const Cable& down = cable(leaf, (index + slots_ - now.receiver_turn) % slots_);
    if (down.line < 0) return -1;
    const int length = static_cast<int>(arrangement_.lines[down.line].size());
    if (now.shift >= length) return -1;
    const int source = leaf_on(down.line, down.position + length - now.shift);
    return host_at(source, (slot_at(source, down.line) + slots_ - now.sender_turn) % slots_);
}

/// From step to step, a host varies the cable up first, then the leaf, then the host it sends to.
SpineOrder::Step SpineOrder::step_between_leaves(int step) const {
    const int number = step - largest_;
    return {number % slots_, number / slots_ / shifts_, number / slots_ % shifts_ + 1};
}

int SpineOrder::leaf_on(std::int32_t line, int position) const {
    const auto& leaves = arrangement_.lines[line];
    return leaves[position % leaves.size()];
}

int SpineOrder::slot_at(int leaf, std::int32_t line) const {
    int slot = 0;
    while (cable(leaf, slot).line != line) ++slot;
    return slot;
}

int SpineOrder::host_at(int leaf, int index) const {
    const auto hosts = arrangement_.hosts[leaf];
    return index < static_cast<int>(hosts.size()) ? hosts[index] : -1;
}

}  // namespace coll_topo
