// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/torus.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// The part of a route along one dimension: `hops` links in one direction, from link `first` on, cyclically. Link c
/// joins coordinates c and c + 1.
struct TorusLeg {
    int dimension;
    std::int64_t line;  ///< the cell of this line with coordinate 0
    int first;
    int hops;
    bool positive;
};

/// What messages put on the links of a torus, each way, in whatever unit they are counted.
class TorusLoad {
public:
    /// Takes time and memory that grow with the number of cells.
    explicit TorusLoad(Torus torus);

    const Torus& torus() const { return torus_; }

    /// Visits the legs of a route in the order in which it takes them. Takes time that grows with the number of
    /// dimensions, not of hops.
    template <typename Visit>
    void for_legs(std::int64_t from, std::int64_t to, Visit visit) const;

    /// Adds a message on a leg of its route. Takes constant time.
    void add(const TorusLeg& leg, double amount);
    /// Once after all messages, before the queries below. Takes time that grows with the number of cells.
    void sum_up();
    void clear();

    /// What the busiest link of a leg carries. Takes time that grows with the hops.
    double busiest(const TorusLeg& leg) const;
    /// The same for all links of a dimension.
    double busiest(int dimension) const;

private:
    struct Links {
        std::vector<double> positive, negative;  // by cell; before sum_up: what begins (+) and ends (-) there
    };

    const std::int32_t* coordinates(std::int64_t cell) const { return &coordinates_[cell * strides_.size()]; }

    Torus torus_;
    std::vector<std::int64_t> strides_;
    std::vector<std::int32_t> coordinates_;  // by cell and dimension
    std::vector<Links> links_;               // by dimension
};

template <typename Visit>
void TorusLoad::for_legs(std::int64_t from, std::int64_t to, Visit visit) const {
    const std::int32_t *starts = coordinates(from), *ends = coordinates(to);
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < strides_.size(); ++d) sum += starts[d];
    std::int64_t cell = from;
    for (int d = 0; d < static_cast<int>(strides_.size()); ++d) {
        const int start = starts[d], end = ends[d];
        if (start == end) continue;
        const bool positive = torus_.goes_positive(d, start, end, sum % 2 == 0);
        const int first = positive ? start : end, last = positive ? end : start;
        const int hops = last > first ? last - first : last - first + torus_.dimensions()[d].size;
        visit(TorusLeg{d, cell - start * strides_[d], first, hops, positive});
        cell += (end - start) * strides_[d];
    }
}

}  // namespace coll_topo
