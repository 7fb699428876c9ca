// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/tree/rooted_tree.hpp"
#include "coll_topo/grid/axis.hpp"

#include <vector>

namespace coll_topo {

/// The tree by which a short message reaches all places of a line soonest in the LogP model, and by which their
/// operands are combined soonest. A place that has it for n places sends it to the nearest of the farthest k of them,
/// which then has it for these, and goes on with n - k.
///
///     messages that arrive late: a flat tree        messages that take the sender long: a binomial one, or less
///     r-->o   .   .                                 r------>o   .
///     r------>o   .                                 r-->o   o-->o
///     r---------->o
class LineDivision {
public:
    /// `message_time`: seconds that a rank spends on a message before it can send the next one. Takes about
    /// size·log(size) steps. From a root that is not at an end, the tree takes up to 6 % more than the least time.
    LineDivision(double message_time, const Axis& axis, int root);

    /// The parent and children of a place.
    TreeOfRank of(int own) const;

    /// Seconds until all places have it if the root is at one end, and a message costs its sender so many.
    double seconds_from_end(double message_time) const;
    /// What the root sends then.
    int sends_from_end() const;

private:
    /// Places at a distance from the root and farther, that it sends to first of all.
    struct Part {
        int first;  ///< the nearest
        int last;   ///< the farthest
    };

    void divide_far_sides(int size);
    void divide_at_root(int root);
    bool in_time(double limit, int root, std::vector<Part>& parts) const;
    void follow(Part part, int own, TreeOfRank& tree) const;

    double message_time_;
    Axis axis_;
    int root_;
    std::vector<double> seconds_ = {0, 0};  // by number of places on one side, the holder included
    std::vector<int> sent_ = {0, 0};        // by the same: how many the first message is for
    std::vector<Part> parts_;               // what the root sends to, in this order
};

}  // namespace coll_topo
