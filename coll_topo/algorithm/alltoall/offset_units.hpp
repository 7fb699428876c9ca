// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/alltoall/offset_space.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// Offsets that are to be in flight together.
struct OffsetGroup {
    std::vector<std::int32_t> offsets;
    std::vector<double> load;  ///< by dimension, of the busiest link; as OffsetSpace::load
    bool evens_out = false;    ///< its offsets make up for each other's uneven load and must stay together
};

/// All offsets but 0, each with those that balance its load within each dimension, at most `most` together where that
/// is possible; see offset_units.cpp.
std::vector<OffsetGroup> offset_units(const OffsetSpace& space, int most);

}  // namespace coll_topo
