// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/stages/cable_load.hpp"

#include <algorithm>

namespace coll_topo {

CableLoad::CableLoad(const Torus& torus) : torus_(torus) {
    std::int64_t stride = 1;
    for (const TorusDimension& dimension : torus.dimensions()) {
        strides_.push_back(stride);
        stride *= dimension.size;
        up_.emplace_back(torus.cells(), 0);
        down_.emplace_back(torus.cells(), 0);
    }
    coordinates_.reserve(torus.cells() * strides_.size());
    for (std::int64_t cell = 0; cell < torus.cells(); ++cell) {
        for (int d = 0; d < static_cast<int>(strides_.size()); ++d) coordinates_.push_back(torus.coordinate(cell, d));
    }
}

template <typename Visit>
void CableLoad::for_legs(std::int64_t from, std::int64_t to, Visit visit) const {
    const std::int32_t *starts = coordinates(from), *ends = coordinates(to);
    std::int64_t cell = from;
    int parity = 0;
    for (std::size_t d = 0; d < strides_.size(); ++d) parity ^= starts[d] & 1;
    for (std::size_t d = 0; d < strides_.size(); ++d) {
        const TorusDimension& dimension = torus_.dimensions()[d];
        const int start = starts[d], end = ends[d];
        if (start == end) continue;
        const int forward = end > start ? end - start : end - start + dimension.size;
        const int backward = dimension.size - forward;
        const bool positive = torus_.tie() == Tie::parity ? parity == 0 : torus_.tie() == Tie::positive;
        const bool up = !dimension.wrapped ? end > start : forward < backward || (forward == backward && positive);
        visit(Leg{d, cell - start * strides_[d], up ? start : end, up ? forward : backward, up});
        cell += (end - start) * strides_[d];
    }
}

void CableLoad::add(std::int64_t from, std::int64_t to) {
    for_legs(from, to, [&](const Leg& leg) {
        std::vector<std::int32_t>& change = leg.up ? up_[leg.dimension] : down_[leg.dimension];
        const std::int64_t stride = strides_[leg.dimension];
        const int size = torus_.dimensions()[leg.dimension].size, last = leg.first + leg.hops;
        change[leg.line + leg.first * stride] += 1;
        if (last > size) change[leg.line] += 1;
        if (last != size) change[leg.line + last % size * stride] -= 1;
    });
}

void CableLoad::sum_up() {
    for (std::size_t d = 0; d < strides_.size(); ++d) {
        for (std::int64_t cell = 0; cell < torus_.cells(); ++cell) {
            if (coordinates(cell)[d] == 0) continue;
            up_[d][cell] += up_[d][cell - strides_[d]];
            down_[d][cell] += down_[d][cell - strides_[d]];
        }
    }
}

CableLoad::Way CableLoad::way(std::int64_t from, std::int64_t to) const {
    Way way{0, 0};
    for_legs(from, to, [&](const Leg& leg) {
        const TorusDimension& dimension = torus_.dimensions()[leg.dimension];
        const std::vector<std::int32_t>& messages = leg.up ? up_[leg.dimension] : down_[leg.dimension];
        way.latency += leg.hops * dimension.latency;
        for (int i = 0; i < leg.hops; ++i) {
            const int cable = (leg.first + i) % dimension.size;
            const double here = messages[leg.line + cable * strides_[leg.dimension]];
            way.per_byte = std::max(way.per_byte, here / dimension.bandwidth);
        }
    });
    return way;
}

}  // namespace coll_topo
