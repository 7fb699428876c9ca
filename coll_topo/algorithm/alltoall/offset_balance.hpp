// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/alltoall/offset_units.hpp"

#include <vector>

namespace coll_topo {

/// Joins groups, to `most` offsets at most, such that in each the slowest dimension of the whole exchange is as slow as
/// any other: then the groups in turn take no longer than that dimension needs for all. See offset_balance.cpp.
std::vector<OffsetGroup> balance(std::vector<OffsetGroup> groups, const OffsetSpace& space, int most);

}  // namespace coll_topo
