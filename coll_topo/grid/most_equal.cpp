// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/most_equal.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace coll_topo {

MostEqual most_equal(std::vector<int> sizes) {
    std::ranges::sort(sizes, std::greater());
    MostEqual best;
    for (int parts = 1; parts <= static_cast<int>(sizes.size()); ++parts) {
        const int size = sizes[parts - 1];
        if (std::int64_t{size} * parts > std::int64_t{best.size} * best.parts) best = {size, parts};
    }
    return best;
}

}  // namespace coll_topo
