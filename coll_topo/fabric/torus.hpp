// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coll_topo {

/// Which way a message goes round a wrapped dimension when both ways are equally long.
/// parity: from cells with an even sum of coordinates in the positive direction.
enum class Tie { positive, negative, parity };

struct TorusDimension {
    int size = 1;
    bool wrapped = true;
    double bandwidth = 0;  ///< of one direction of one cable, bytes/s
    double latency = 0;    ///< of one cable, seconds
};

/// A torus or mesh with any number of dimensions and dimension-order routing, first dimension first.
/// A cell is a place for one host, numbered with the first dimension fastest.
/// A wrapped dimension of size 2 has two cables between its two cells.
class Torus {
public:
    /// Sizes are at least 1 and their product fits in 64 bits, as the reader of topology files has made sure.
    Torus(std::string name, std::vector<TorusDimension> dimensions, Tie tie);

    const std::string& name() const { return name_; }
    const std::vector<TorusDimension>& dimensions() const { return dimensions_; }
    Tie tie() const { return tie_; }
    std::int64_t cells() const { return cells_; }

    int coordinate(std::int64_t cell, int dimension) const;
    std::int64_t cell(const std::vector<int>& coordinates) const;  ///< one coordinate per dimension, each in range

    /// Directed links are numbered (cell * dimensions + dimension) * 2 + (0 positive, 1 negative) after the cell
    /// they leave; a mesh leaves the numbers at its edges unused.
    std::int64_t links() const { return cells_ * static_cast<std::int64_t>(dimensions_.size()) * 2; }

    /// The cell a directed link leads to, or -1 if there is no such link (edge of a mesh, dimension of size 1).
    std::int64_t link_target(std::int64_t link) const;

    /// How many directed links there are: `links()` without the numbers left unused.
    std::int64_t directed_links() const;

    /// Whether messages of the cell at its start may take a link that there is. Of the two cables of a ring of two, all
    /// messages of a cell take the same one.
    bool carries_own_messages(std::int64_t link) const;

    /// Whether a message runs from `start` to `end` of a dimension in the positive direction: the shorter way, and by
    /// tie() where both are equally long. `even`: the coordinates of the cell that sends it have an even sum.
    bool goes_positive(int dimension, int start, int end, bool even) const;

    /// Appends the directed links of the route between two cells to `links`.
    void route(std::int64_t from, std::int64_t to, std::vector<std::int64_t>& links) const;

private:
    std::string name_;
    std::vector<TorusDimension> dimensions_;
    std::vector<std::int64_t> strides_;
    std::int64_t cells_ = 1;
    Tie tie_;
};

}  // namespace coll_topo
