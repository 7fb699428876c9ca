// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace coll_topo {

/// Parts of unequal sizes cut to one size: those that are smaller are left out.
struct MostEqual {
    int size = 0;
    int parts = 0;  ///< that are not smaller
};

/// The size for which most is left, the largest of several.
MostEqual most_equal(std::vector<int> sizes);

}  // namespace coll_topo
