// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace coll_topo {

class Grid;

/// The Cartesian topology of a communicator, as MPI_Cart_create makes it: ranks in a box, the last dimension fastest.
class Cartesian {
public:
    struct Dimension {
        int size = 1;
        bool periodic = false;
        bool operator==(const Dimension&) const = default;
    };

    /// Sizes are at least 1, and their product is an int.
    explicit Cartesian(std::vector<Dimension> dimensions);

    const std::vector<Dimension>& dimensions() const { return dimensions_; }
    int ranks() const { return ranks_; }

    /// Neighbours in the order of MPI: 2d is the one before in dimension d, 2d + 1 the one behind.
    int neighbors() const { return 2 * static_cast<int>(dimensions_.size()); }
    /// The rank of a neighbour: -1 if there is none, at the end of a dimension that is not periodic. It may be the rank
    /// itself, and both neighbours in a dimension may be one rank.
    int neighbor(int rank, int number) const;
    /// What the rank is to that neighbour.
    static int opposite(int number) { return number ^ 1; }

    /// "4x4 ranks, periodic in dimensions 0 and 1"
    std::string text() const;

private:
    std::vector<Dimension> dimensions_;
    std::vector<int> strides_;  // by dimension, in ranks
    int ranks_ = 1;
};

/// The Cartesian topology whose dimensions are the axes of the grid, the first one last, and then, if there are
/// several, the ranks of a host. Nothing through switches, or where ranks fill no box. Ranks need not be in its order.
std::optional<Cartesian> cartesian_along_axes(const Grid& grid);

}  // namespace coll_topo
