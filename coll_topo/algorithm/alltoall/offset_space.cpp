// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/alltoall/offset_space.hpp"

#include "coll_topo/base/mixed_radix.hpp"

#include <algorithm>
#include <cstdlib>

namespace coll_topo {

OffsetSpace::OffsetSpace(const Torus& torus) : tie_(torus.tie()) {
    double fastest = 0;
    bool known = true;
    for (const TorusDimension& dimension : torus.dimensions()) {
        sizes_.push_back(dimension.size);
        strides_.push_back(cells_);
        wrapped_.push_back(dimension.wrapped && dimension.size > 1);
        cells_ *= dimension.size;
        fastest = std::max(fastest, dimension.bandwidth);
        known = known && dimension.bandwidth > 0;
    }
    for (const TorusDimension& dimension : torus.dimensions()) {
        slowness_.push_back(known ? fastest / dimension.bandwidth : 1);
    }
    first_even_ =
        static_cast<int>(std::ranges::find_if(sizes_, [](int size) { return size % 2 == 0; }) - sizes_.begin());
    for (int d = 0; d < dimensions(); ++d) totals_.push_back(whole_exchange(d, true));
    slowest_ = static_cast<int>(std::ranges::max_element(totals_) - totals_.begin());
    for (int d = 0; d < dimensions(); ++d) {
        must_even_out_.push_back(whole_exchange(d, false) > totals_[slowest_] * (1 + 1e-9));
    }
}

bool OffsetSpace::any_wrapped() const {
    return std::ranges::find(wrapped_, true) != wrapped_.end();
}

int OffsetSpace::component(std::int32_t offset, int dimension) const {
    const int size = sizes_[dimension], forward = digit(offset, strides_[dimension], size);
    return 2 * forward > size ? forward - size : forward;
}

std::int32_t OffsetSpace::with_component(std::int32_t offset, int dimension, int component) const {
    const int size = sizes_[dimension];
    return with_digit(offset, strides_[dimension], size, (component % size + size) % size);
}

std::int32_t OffsetSpace::mirror(std::int32_t offset) const {
    std::int32_t mirrored = 0;
    for (int d = 0; d < dimensions(); ++d) mirrored = with_component(mirrored, d, -component(offset, d));
    return mirrored;
}

bool OffsetSpace::is_half(std::int32_t offset, int dimension) const {
    return wrapped_[dimension] && 2 * component(offset, dimension) == sizes_[dimension];
}

double OffsetSpace::load(std::int32_t offset, int dimension) const {
    const int hops = std::abs(component(offset, dimension));
    const double each_way = hops / 2.0;
    if (!wrapped_[dimension]) return hops * slowness_[dimension];
    if (!is_half(offset, dimension)) return each_way * slowness_[dimension];
    if (tie_ != Tie::parity) return hops * slowness_[dimension];
    const bool evened_out = dimension > first_even_ && must_even_out_[dimension];
    return (hops % 2 == 0 || evened_out ? each_way : each_way + 0.5) * slowness_[dimension];
}

/// What the busiest link of a dimension carries; an upper bound if half-way offsets do not make up for each other.
double OffsetSpace::whole_exchange(int dimension, bool evened_out) const {
    const int size = sizes_[dimension], half = size / 2;
    const double lines = static_cast<double>(cells_) / size;
    if (!wrapped_[dimension]) return lines * half * ((size + 1) / 2) * slowness_[dimension];
    if (size % 2 != 0) return lines * half * (half + 1) / 2 * slowness_[dimension];
    const double shorter = lines * half * (half - 1) / 2;
    if (tie_ != Tie::parity) return (shorter + lines * half) * slowness_[dimension];
    double more = half % 2 == 0 ? 0 : lines;  // messages on the link that carries more of them, over the other
    if (evened_out && dimension > first_even_) more = 0;
    // Of an odd number of senders in a row, all but one make up for each other.
    if (evened_out && dimension == first_even_) more /= strides_[dimension];
    return (shorter + (lines * half + more) / 2) * slowness_[dimension];
}

}  // namespace coll_topo
