// SPDX-License-Identifier: BSD-3-Clause
//
// The left tree over 1 .. n has a spine: its root, the root's right child, that one's right child, … Its members are n
// with only its leading 1, 2, 3, … one-bits kept. Left of each hangs a perfect tree; position i is under the first
// member that is not less than i.
//
//     n = 13 = 1101b:  spine 8, 12, 13                 8
//                                              4               12
//                                          2       6       10      13
//                                         1 3     5 7     9  11
//
// The colour. Let c(i) be the colour of the edge from i in the left tree, and 1 - c(i) of that in the right tree, so
// that i sends one message in each. Then siblings a, b must differ, c(a) != c(b), and so must a + 1 and b + 1, which
// are siblings in the right tree (n + 1 is 1); and the base receives two colours if c(root) = c(root + 1). Met by
//
//     c(i) = c(root) + left turns from the root to i (mod 2), for even i,
//     c(i) = the same + h + [n mod 4 = 3 and j even], for odd i under the spine member number j = 0, 1, … = ….·2^h.
//
// The root's colour is free; it is chosen so that groups of 8 and of 4 come out as printed in the source.

#include "coll_topo/algorithm/tree/two_trees.hpp"

#include <bit>

namespace coll_topo {
namespace {

unsigned lowest_bit(unsigned number) {
    return number & (~number + 1);
}

/// The member of the spine over 1 .. last that a position is or hangs under.
struct Spine {
    int member;
    int number;  // 0 for the root
    int level;   // zeros at the end of the member
};

Spine spine_of(int last, int position) {
    const auto bits = static_cast<unsigned>(last);
    const int level = std::bit_width((static_cast<unsigned>(position) - 1) ^ bits) - 1;
    const unsigned member = bits >> level << level;
    return {static_cast<int>(member), std::popcount(member) - 1, level};
}

int zeros_at_end(int position) {
    return std::countr_zero(static_cast<unsigned>(position));
}

}  // namespace

int TwoTrees::parent(int tree, int position) const {
    const int own = to_left(tree, position);
    const auto bit = static_cast<int>(lowest_bit(static_cast<unsigned>(own)));
    const bool is_right_child = (own & 2 * bit) != 0;
    if (spine_of(last_, own).member == own) return from_left(tree, own - bit);
    return from_left(tree, is_right_child ? own - bit : own + bit);
}

std::array<int, 2> TwoTrees::children(int tree, int position) const {
    if (last_ == 0) return {0, 0};
    const auto bits = static_cast<unsigned>(last_);
    if (position == 0) return {from_left(tree, static_cast<int>(std::bit_floor(bits))), 0};
    const int own = to_left(tree, position);
    const auto half = static_cast<int>(lowest_bit(static_cast<unsigned>(own)) / 2);
    int right = half > 0 ? own + half : 0;
    if (spine_of(last_, own).member == own) {
        const auto beyond = static_cast<unsigned>(last_ - own);
        right = beyond > 0 ? own + static_cast<int>(std::bit_floor(beyond)) : 0;
    }
    return {from_left(tree, half > 0 ? own - half : 0), from_left(tree, right)};
}

int TwoTrees::depth(int tree, int position) const {
    const int own = to_left(tree, position);
    const Spine spine = spine_of(last_, own);
    return spine.number + 1 + spine.level - zeros_at_end(own);
}

int TwoTrees::height() const {
    return std::bit_width(static_cast<unsigned>(last_));
}

int TwoTrees::colour(int tree, int position) const {
    return tree == 0 ? left_colour(position) : 1 - left_colour(position);
}

int TwoTrees::left_colour(int position) const {
    const auto bits = static_cast<unsigned>(position);
    const Spine spine = spine_of(last_, position);
    const int root = std::bit_width(static_cast<unsigned>(last_));
    // Under the spine's member, one turn to the left and then one for each bit not set between the lowest set one of
    // the position and the level of the member. Odd positions add the level, which cancels.
    const int turns = 1 + spine.level + std::popcount(bits) - spine.number + zeros_at_end(position);
    const bool is_odd = position % 2 == 1;
    const int odd = spine.level + (last_ % 4 == 3 && spine.number % 2 == 0 ? 1 : 0);
    return (root + turns + (is_odd ? odd : 0)) % 2;
}

}  // namespace coll_topo
