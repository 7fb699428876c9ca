// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/torus.hpp"

#include <utility>

namespace coll_topo {

Torus::Torus(std::string name, std::vector<TorusDimension> dimensions, Tie tie)
    : name_(std::move(name)), dimensions_(std::move(dimensions)), tie_(tie) {
    strides_.reserve(dimensions_.size());
    for (const TorusDimension& dimension : dimensions_) {
        strides_.push_back(cells_);
        cells_ *= dimension.size;
    }
}

int Torus::coordinate(std::int64_t cell, int dimension) const {
    return static_cast<int>(cell / strides_[dimension] % dimensions_[dimension].size);
}

std::int64_t Torus::cell(const std::vector<int>& coordinates) const {
    std::int64_t cell = 0;
    for (std::size_t dimension = 0; dimension < strides_.size(); ++dimension) {
        cell += coordinates[dimension] * strides_[dimension];
    }
    return cell;
}

std::int64_t Torus::link_target(std::int64_t link) const {
    const auto count = static_cast<std::int64_t>(dimensions_.size());
    const bool positive = link % 2 == 0;
    const int dimension = static_cast<int>(link / 2 % count);
    const std::int64_t cell = link / 2 / count;

    const int size = dimensions_[dimension].size;
    const int from = coordinate(cell, dimension);
    const bool at_edge = from == (positive ? size - 1 : 0);
    if (size == 1 || (at_edge && !dimensions_[dimension].wrapped)) return -1;
    const int to = positive ? (from + 1) % size : (from + size - 1) % size;
    return cell + (to - from) * strides_[dimension];
}

std::int64_t Torus::directed_links() const {
    std::int64_t links = 0;
    for (const TorusDimension& dimension : dimensions_) {
        if (dimension.size > 1) links += 2 * (dimension.wrapped ? cells_ : cells_ - cells_ / dimension.size);
    }
    return links;
}

bool Torus::carries_own_messages(std::int64_t link) const {
    const auto count = static_cast<std::int64_t>(dimensions_.size());
    const int dimension = static_cast<int>(link / 2 % count);
    if (dimensions_[dimension].size != 2 || !dimensions_[dimension].wrapped) return true;
    const std::int64_t cell = link / 2 / count;
    std::int64_t sum = 0;
    for (int d = 0; d < static_cast<int>(count); ++d) sum += coordinate(cell, d);
    const int start = coordinate(cell, dimension);
    return goes_positive(dimension, start, 1 - start, sum % 2 == 0) == (link % 2 == 0);
}

bool Torus::goes_positive(int dimension, int start, int end, bool even) const {
    if (!dimensions_[dimension].wrapped) return end > start;
    const int size = dimensions_[dimension].size;
    const int forward = (end - start + size) % size;
    const int backward = size - forward;
    if (forward != backward) return forward < backward;
    return tie_ == Tie::parity ? even : tie_ == Tie::positive;
}

void Torus::route(std::int64_t from, std::int64_t to, std::vector<std::int64_t>& links) const {
    const int count = static_cast<int>(dimensions_.size());
    std::int64_t cell = from, sum = 0;
    for (int dimension = 0; dimension < count; ++dimension) sum += coordinate(from, dimension);
    for (int dimension = 0; dimension < count; ++dimension) {
        const int start = coordinate(from, dimension);
        const int end = coordinate(to, dimension);
        if (start == end) continue;
        const int direction = goes_positive(dimension, start, end, sum % 2 == 0) ? 0 : 1;
        while (coordinate(cell, dimension) != end) {
            links.push_back((cell * count + dimension) * 2 + direction);
            cell = link_target(links.back());
        }
    }
}

}  // namespace coll_topo
