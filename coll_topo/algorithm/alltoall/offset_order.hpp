// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/torus.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// In which order the cells of a torus or mesh send to all others: every cell to the one at the same offset, several
/// offsets in flight together. An offset is given as the number of the cell that has it from cell 0; each coordinate
/// counts modulo the size. See offset_order.cpp.
class OffsetOrder {
public:
    /// The order for a torus of at most 2^31 - 1 cells. Takes time n log n.
    explicit OffsetOrder(const Torus& torus);

    int groups() const { return static_cast<int>(ends_.size()); }
    /// The offsets that are in flight together.
    std::span<const std::int32_t> group(int number) const {
        const std::int32_t begin = number == 0 ? 0 : ends_[number - 1];
        return {offsets_.data() + begin, offsets_.data() + ends_[number]};
    }
    /// How many messages a cell should have in flight.
    int window() const { return window_; }

private:
    void add(std::span<const std::int32_t> group);

    std::vector<std::int32_t> offsets_;  // all but 0
    std::vector<std::int32_t> ends_;     // by group
    int window_ = 1;
};

}  // namespace coll_topo
