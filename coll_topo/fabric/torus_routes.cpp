// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/torus_routes.hpp"

#include <utility>

namespace coll_topo {

TorusRoutes::TorusRoutes(Torus torus, std::span<const std::int64_t> cells) : torus_(std::move(torus)) {
    coordinates_.reserve(cells.size() * torus_.dimensions().size());
    for (const std::int64_t cell : cells) {
        std::int64_t stride = 1, above = cell;
        for (const TorusDimension& dimension : torus_.dimensions()) {
            const std::int64_t below = cell % stride, coordinate = above % dimension.size;
            above /= dimension.size;
            coordinates_.push_back({static_cast<std::int32_t>(coordinate), static_cast<std::int32_t>(below),
                                    static_cast<std::int32_t>(above * stride)});
            stride *= dimension.size;
        }
    }
    for (const TorusDimension& dimension : torus_.dimensions()) {
        first_cables_.emplace_back(dimension.size == 1 ? 0 : torus_.cells() / dimension.size, -1);
    }
}

int TorusRoutes::number(int dimension, int line) {
    const int first = cables();
    first_cables_[dimension][line] = first;
    dimensions_.insert(dimensions_.end(), torus_.dimensions()[dimension].size, static_cast<std::int16_t>(dimension));
    return first;
}

}  // namespace coll_topo
