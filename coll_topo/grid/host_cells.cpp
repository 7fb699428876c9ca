// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/host_cells.hpp"

#include <algorithm>
#include <cstdlib>

namespace coll_topo {
namespace {

/// Coordinates first, first + 1, … modulo the size of the dimension.
struct Span {
    int first;
    int size;
};

/// The shortest span that holds all coordinates in use, round the end of a wrapped dimension if that is shorter.
Span span_of(const std::vector<bool>& used, bool wrapped) {
    const int size = static_cast<int>(used.size());
    const int lowest = static_cast<int>(std::find(used.begin(), used.end(), true) - used.begin());
    int highest = size - 1;
    while (!used[highest]) --highest;
    Span shortest{lowest, highest - lowest + 1};
    int before = lowest;
    for (int now = lowest + 1; wrapped && now <= highest; ++now) {
        if (!used[now]) continue;
        const int without_gap = size - (now - before - 1);
        if (without_gap < shortest.size) shortest = {now, without_gap};
        before = now;
    }
    return shortest;
}

std::vector<Span> spans(const Torus& torus, const std::vector<std::int64_t>& cells) {
    std::vector<Span> spans;
    for (int d = 0; d < static_cast<int>(torus.dimensions().size()); ++d) {
        const TorusDimension& dimension = torus.dimensions()[d];
        std::vector<bool> used(dimension.size, false);
        for (const std::int64_t cell : cells) used[torus.coordinate(cell, d)] = true;
        const Span span = span_of(used, dimension.wrapped);
        // A ring of which more is spanned has ways that leave the span.
        const bool leaves_span = dimension.wrapped && 2 * (span.size - 1) >= dimension.size;
        spans.push_back(leaves_span ? Span{0, dimension.size} : span);
    }
    return spans;
}

Torus part_of(const Torus& torus, const std::vector<Span>& spans) {
    std::vector<TorusDimension> dimensions = torus.dimensions();
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        dimensions[d].wrapped = dimensions[d].wrapped && spans[d].size == dimensions[d].size;
        dimensions[d].size = spans[d].size;
    }
    return {torus.name(), std::move(dimensions), torus.tie()};
}

}  // namespace

HostCells::HostCells(const Torus& torus, const std::vector<std::int64_t>& cells, double start_latency)
    : part_("", {}, torus.tie()), start_latency_(start_latency), cells_(cells.size(), 0) {
    const std::vector<Span> part = spans(torus, cells);
    part_ = part_of(torus, part);
    bool in_order = part_.cells() == static_cast<std::int64_t>(cells.size());
    for (std::size_t host = 0; host < cells.size(); ++host) {
        std::int64_t stride = 1;
        for (std::size_t d = 0; d < part.size(); ++d) {
            const int size = torus.dimensions()[d].size;
            const int coordinate = torus.coordinate(cells[host], static_cast<int>(d));
            cells_[host] += (coordinate + size - part[d].first) % size * stride;
            stride *= part[d].size;
        }
        in_order = in_order && cells_[host] == static_cast<std::int64_t>(host);
    }
    if (in_order) return;
    for (std::size_t host = 0; host < cells.size(); ++host) {
        by_cell_.emplace_back(cells_[host], static_cast<std::int32_t>(host));
    }
    std::ranges::sort(by_cell_);
}

int HostCells::host_at(std::int64_t cell) const {
    if (by_cell_.empty()) return static_cast<int>(cell);
    const auto found = std::ranges::lower_bound(by_cell_, cell, {}, &std::pair<std::int64_t, std::int32_t>::first);
    return found != by_cell_.end() && found->first == cell ? found->second : -1;
}

double HostCells::latency(int from, int to) const {
    double seconds = start_latency_;
    for (int d = 0; d < static_cast<int>(part_.dimensions().size()); ++d) {
        seconds += part_.dimensions()[d].latency * cables(from, to, d);
    }
    return seconds;
}

int HostCells::cables(int from, int to) const {
    int sum = 0;
    for (int d = 0; d < static_cast<int>(part_.dimensions().size()); ++d) sum += cables(from, to, d);
    return sum;
}

int HostCells::cables(int from, int to, int dimension) const {
    const TorusDimension& along = part_.dimensions()[dimension];
    const int apart = std::abs(part_.coordinate(cells_[from], dimension) - part_.coordinate(cells_[to], dimension));
    return along.wrapped ? std::min(apart, along.size - apart) : apart;
}

std::int64_t HostCells::ahead(std::int64_t cell, std::int64_t offset) const {
    std::int64_t target = 0, stride = 1;
    for (const TorusDimension& dimension : part_.dimensions()) {
        target += (cell % dimension.size + offset % dimension.size) % dimension.size * stride;
        cell /= dimension.size;
        offset /= dimension.size;
        stride *= dimension.size;
    }
    return target;
}

std::int64_t HostCells::behind(std::int64_t cell, std::int64_t offset) const {
    std::int64_t target = 0, stride = 1;
    for (const TorusDimension& dimension : part_.dimensions()) {
        const std::int64_t size = dimension.size;
        target += (cell % size + size - offset % size) % size * stride;
        cell /= size;
        offset /= size;
        stride *= size;
    }
    return target;
}

}  // namespace coll_topo
