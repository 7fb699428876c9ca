// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/torus_load.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {

TorusLoad::TorusLoad(Torus torus) : torus_(std::move(torus)) {
    std::int64_t stride = 1;
    for (const TorusDimension& dimension : torus_.dimensions()) {
        strides_.push_back(stride);
        stride *= dimension.size;
        const std::vector<double> idle(torus_.cells(), 0);
        links_.push_back({idle, idle});
    }
    coordinates_.reserve(torus_.cells() * strides_.size());
    for (std::int64_t cell = 0; cell < torus_.cells(); ++cell) {
        for (int d = 0; d < static_cast<int>(strides_.size()); ++d) coordinates_.push_back(torus_.coordinate(cell, d));
    }
}

void TorusLoad::add(const TorusLeg& leg, double amount) {
    std::vector<double>& change = leg.positive ? links_[leg.dimension].positive : links_[leg.dimension].negative;
    const std::int64_t stride = strides_[leg.dimension];
    const int size = torus_.dimensions()[leg.dimension].size;
    const int last = leg.first + leg.hops;
    change[leg.line + leg.first * stride] += amount;
    change[leg.line + last % size * stride] -= amount;
    if (last >= size) change[leg.line] += amount;
}

void TorusLoad::sum_up() {
    for (std::size_t d = 0; d < strides_.size(); ++d) {
        for (std::int64_t cell = 0; cell < torus_.cells(); ++cell) {
            if (coordinates(cell)[d] == 0) continue;
            links_[d].positive[cell] += links_[d].positive[cell - strides_[d]];
            links_[d].negative[cell] += links_[d].negative[cell - strides_[d]];
        }
    }
}

void TorusLoad::clear() {
    for (Links& links : links_) {
        std::ranges::fill(links.positive, 0);
        std::ranges::fill(links.negative, 0);
    }
}

double TorusLoad::busiest(const TorusLeg& leg) const {
    const std::vector<double>& links = leg.positive ? links_[leg.dimension].positive : links_[leg.dimension].negative;
    const int size = torus_.dimensions()[leg.dimension].size;
    double busiest = 0;
    for (int link = leg.first; link < leg.first + leg.hops; ++link) {
        busiest = std::max(busiest, links[leg.line + link % size * strides_[leg.dimension]]);
    }
    return busiest;
}

double TorusLoad::busiest(int dimension) const {
    const Links& links = links_[dimension];
    return std::max({0.0, *std::ranges::max_element(links.positive), *std::ranges::max_element(links.negative)});
}

}  // namespace coll_topo
