// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace coll_topo {

/// Numbers below `all`, ascending, spread evenly without falling into step with the sizes of axes.
inline std::vector<std::size_t> spread_sample(std::size_t all, std::size_t count) {
    constexpr double golden_ratio = 0.6180339887498949;
    std::vector<std::size_t> sample;
    for (std::size_t i = 0; i < count; ++i) {
        const double position = (static_cast<double>(i) + 0.5) * golden_ratio;
        sample.push_back(static_cast<std::size_t>((position - std::floor(position)) * static_cast<double>(all)));
    }
    std::ranges::sort(sample);
    return sample;
}

}  // namespace coll_topo
