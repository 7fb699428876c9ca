// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/stages/stages.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <vector>

namespace coll_topo {

/// Why a bcast or reduce does not go through the stages of Grid::skewed().
inline constexpr const char* retraces_stages =
    "it would retrace stages to its root, and hosts of a leaf take different ones here";

/// The first of the groups that a gather takes together, of which the last one is `last`: it does so where they are
/// small, as a node starts messages one after the other, but receives them all at once. `radix`: members of a group.
template <typename Radix>
int first_gathered_with(int last, Radix radix) {
    constexpr int most_members = 4;
    int first = last, members = radix(last);
    while (first > 0 && members * radix(first - 1) <= most_members) members *= radix(--first);
    return first;
}

/// Seconds of a step in which one place of a group sends to all others of it, or these to that one.
struct Fan {
    int messages;  ///< that a rank starts one after the other
    double start;  ///< seconds, of each
    double latency;
    double transfer;  ///< until all have passed the busiest link of that place
};
/// Those of a scatter to all places, or of a gather from them.
struct Fans {
    std::vector<Fan> in_turn;
    std::vector<double> on_axis;  ///< seconds of transfer on each axis
};
Fans fans_of(const Grid& grid, const StageOrder& stage_order, bool scatters, double bytes);

/// Seconds of a scatter, or a gather, in lanes that all use the links of the root's place.
double seconds_at_root(const Grid& grid, int lanes, StageOrder (*stage_order)(const Grid&, int lane), bool scatters,
                       double bytes);

/// How a root's data get to the shares of all, or back, along the groups in which all halve and double. `Groups` has
/// the groups in the order of halving, and says of any node, which is a place or a rank:
///     int count() const, radix(int group) const;
///     int member(int node, int group) const;             // its number in its group
///     int other(int node, int group, int member) const;  // another node of the group
///     int distance(int node, int group, int turn) const; // how far ahead it sends in turn 1 .. radix - 1
///     int rank(int node) const;
///     Blocks held(int node, int width) const;  // as soon as groups are left that have `width` members together
template <typename Groups>
class RootedStages {
public:
    RootedStages(const Groups& groups, int node, int root) : groups_(groups), node_(node), root_(root) {}

    /// Before a group halves, those hold data who have the root's number in all groups that are left.
    void scatter(ProgramBuilder& builder) const {
        int giving = groups_.count(), width = 1;
        for (; giving > 0 && agrees(giving - 1); --giving) width *= groups_.radix(giving - 1);
        if (giving > 0) {
            const int from = groups_.other(node_, giving - 1, groups_.member(root_, giving - 1));
            builder.receive(groups_.rank(from), groups_.held(node_, width));
            builder.next_step();
        }
        for (int group = giving; group < groups_.count(); ++group) {
            const int radix = groups_.radix(group);
            width /= radix;
            for (int turn = 1; turn < radix; ++turn) {
                const int member = (groups_.member(node_, group) + groups_.distance(node_, group, turn)) % radix;
                const int to = groups_.other(node_, group, member);
                builder.send(groups_.rank(to), groups_.held(to, width));
            }
            builder.next_step();
        }
    }

    /// The same backwards, but some groups are taken together.
    void gather(ProgramBuilder& builder) const {
        int width = 1;
        for (int end = groups_.count(); end > 0;) {
            const int begin = first_gathered_with(end - 1, [&](int group) { return groups_.radix(group); });
            if (const int to = towards_root(begin, end); to != node_) {
                builder.send(groups_.rank(to), groups_.held(node_, width));
                return builder.next_step();
            }
            const int members = members_of(begin, end);
            for (int number = 1; number < members; ++number) {
                const int from = ahead(begin, end, number);
                builder.receive(groups_.rank(from), groups_.held(from, width));
            }
            builder.next_step();
            width *= members;
            end = begin;
        }
    }

private:
    bool agrees(int group) const { return groups_.member(node_, group) == groups_.member(root_, group); }

    int members_of(int begin, int end) const {
        int members = 1;
        for (int group = begin; group < end; ++group) members *= groups_.radix(group);
        return members;
    }

    /// The node that has the root's numbers in groups [begin, end), and this one's in all others.
    int towards_root(int begin, int end) const {
        int node = node_;
        for (int group = begin; group < end; ++group) node = groups_.other(node, group, groups_.member(root_, group));
        return node;
    }

    /// The node whose numbers in groups [begin, end) are so far ahead, the last group's first.
    int ahead(int begin, int end, int number) const {
        int node = node_;
        for (int group = end - 1; group >= begin; --group) {
            const int radix = groups_.radix(group);
            node = groups_.other(node, group, (groups_.member(node_, group) + number % radix) % radix);
            number /= radix;
        }
        return node;
    }

    const Groups& groups_;
    const int node_, root_;
};

}  // namespace coll_topo
