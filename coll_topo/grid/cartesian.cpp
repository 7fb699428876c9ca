// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/cartesian.hpp"

#include "coll_topo/grid/grid.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {

Cartesian::Cartesian(std::vector<Dimension> dimensions)
    : dimensions_(std::move(dimensions)), strides_(dimensions_.size()) {
    for (std::size_t d = dimensions_.size(); d-- > 0;) {
        strides_[d] = ranks_;
        ranks_ *= dimensions_[d].size;
    }
}

int Cartesian::neighbor(int rank, int number) const {
    const auto [size, periodic] = dimensions_[number / 2];
    const int stride = strides_[number / 2], coordinate = rank / stride % size;
    int other = coordinate + (number % 2 == 0 ? -1 : 1);
    if (other < 0 || other >= size) {
        if (!periodic) return -1;
        other = (other + size) % size;
    }
    return rank + (other - coordinate) * stride;
}

std::string Cartesian::text() const {
    std::string sizes, periodic;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
        sizes += (d > 0 ? "x" : "") + std::to_string(dimensions_[d].size);
        if (dimensions_[d].periodic) periodic += (periodic.empty() ? "" : ", ") + std::to_string(d);
    }
    return sizes + " ranks" + (periodic.empty() ? "" : ", periodic in dimension " + periodic);
}

std::optional<Cartesian> cartesian_along_axes(const Grid& grid) {
    const bool equal = grid.fewest_ranks_per_host() == grid.most_ranks_per_host();
    if (grid.switched() || grid.extra_hosts() > 0 || !equal) return std::nullopt;
    std::vector<Cartesian::Dimension> dimensions;
    for (const Axis& axis : grid.axes()) dimensions.push_back({axis.size, axis.wrapped});
    std::ranges::reverse(dimensions);
    if (grid.most_ranks_per_host() > 1 || dimensions.empty()) {
        dimensions.push_back({grid.most_ranks_per_host(), false});
    }
    return Cartesian(std::move(dimensions));
}

}  // namespace coll_topo
