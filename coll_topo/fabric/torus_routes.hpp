// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/torus.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// The part of a route along one dimension: `hops` cables in one direction, from coordinate `first` on, cyclically.
struct TorusLeg {
    int dimension;
    int line;  ///< its first cable as TorusRoutes numbers them; cable line + c joins coordinates c and c + 1
    int first;
    int hops;
    bool positive;
};

/// The routes between some cells of a torus. Cables are numbered line by line as routes first come to them, so that
/// what is kept of each does not grow with the torus, only with what of it is in use.
class TorusRoutes {
public:
    /// Takes time and memory that grow with the number of cells given and of lines of the torus.
    TorusRoutes(Torus torus, std::span<const std::int64_t> cells);

    const Torus& torus() const { return torus_; }

    /// Visits the legs of the route from cells[from] to cells[to] in the order in which it takes them. Takes time that
    /// grows with the number of dimensions, not of hops.
    template <typename Visit>
    void for_legs(int from, int to, Visit visit);

    /// Cables of the lines that routes have come to, one after each coordinate.
    int cables() const { return static_cast<int>(dimensions_.size()); }
    int dimension(int cable) const { return dimensions_[cable]; }

private:
    /// The lines through a cell: that of a leg is `below` of the cell where it ends plus `above` of where it begins.
    struct Coordinate {
        std::int32_t coordinate;
        std::int32_t below, above;
    };

    int first_cable(int dimension, int line) {
        const std::int32_t known = first_cables_[dimension][line];
        return known >= 0 ? known : number(dimension, line);
    }
    int number(int dimension, int line);

    Torus torus_;
    std::vector<Coordinate> coordinates_;                  // by cell given and dimension
    std::vector<std::vector<std::int32_t>> first_cables_;  // by dimension and line; -1: no route has come to it
    std::vector<std::int16_t> dimensions_;                 // by cable
};

template <typename Visit>
void TorusRoutes::for_legs(int from, int to, Visit visit) {
    const std::size_t dimensions = first_cables_.size();
    const Coordinate *starts = &coordinates_[from * dimensions], *ends = &coordinates_[to * dimensions];
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < dimensions; ++d) sum += starts[d].coordinate;
    for (int d = 0; d < static_cast<int>(dimensions); ++d) {
        const int start = starts[d].coordinate, end = ends[d].coordinate;
        if (start == end) continue;
        const bool positive = torus_.goes_positive(d, start, end, sum % 2 == 0);
        const int first = positive ? start : end, last = positive ? end : start;
        const int hops = last > first ? last - first : last - first + torus_.dimensions()[d].size;
        visit(TorusLeg{d, first_cable(d, ends[d].below + starts[d].above), first, hops, positive});
    }
}

}  // namespace coll_topo
