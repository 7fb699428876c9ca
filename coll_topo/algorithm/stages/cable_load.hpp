// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/torus.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// How many messages cross each cable of a torus, each way.
class CableLoad {
public:
    /// Takes time and memory that grow with the number of cells.
    explicit CableLoad(const Torus& torus);

    /// A message from cell to cell. Takes time that grows with the number of dimensions, not of hops.
    void add(std::int64_t from, std::int64_t to);
    /// Once, after all messages.
    void sum_up();

    struct Way {
        double latency;   ///< seconds, of its cables
        double per_byte;  ///< seconds on its busiest cable, if all messages there have as many bytes
    };
    /// After that. Takes time that grows with the hops.
    Way way(std::int64_t from, std::int64_t to) const;

private:
    /// Of a way along one dimension: `hops` cables from number `first` on, cyclically; cable c joins coordinates c, c
    /// + 1.
    struct Leg {
        std::size_t dimension;
        std::int64_t line;  // the cell with coordinate 0
        int first;
        int hops;
        bool up;
    };

    const std::int32_t* coordinates(std::int64_t cell) const { return &coordinates_[cell * strides_.size()]; }

    template <typename Visit>
    void for_legs(std::int64_t from, std::int64_t to, Visit visit) const;

    const Torus& torus_;
    std::vector<std::int64_t> strides_;
    std::vector<std::int32_t> coordinates_;  // by cell and dimension
    std::vector<std::vector<std::int32_t>> up_,
        down_;  // by dimension and cell; before sum_up: what begins (+) and ends (-)
};

}  // namespace coll_topo
