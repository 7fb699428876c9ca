// SPDX-License-Identifier: BSD-3-Clause
#include "test/algorithm/machine.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo::test {
namespace {

Fabric make_fabric(const Shape& shape) {
    std::vector<TorusDimension> dimensions;
    for (std::size_t d = 0; d < shape.sizes.size(); ++d) {
        // 2, 3, 1, 2, 3, 1, ... GB/s: neither ascending nor descending.
        const double bandwidth = 1e9 * static_cast<double>((d + 1) % 3 + 1);
        dimensions.push_back({shape.sizes[d], (shape.wrapped >> d & 1u) != 0, bandwidth, 1e-7});
    }
    Fabric fabric{{}, Torus("made_up", std::move(dimensions), Tie::parity), {}};
    for (int host = 0; host < shape.volume(); ++host) fabric.hosts.add("host" + std::to_string(host));
    return fabric;
}

RankLocation location(int host, int index) {
    RankLocation location;
    location.host = host;
    location.numa = static_cast<std::uint16_t>(index % 2);
    location.core = static_cast<std::uint16_t>(index);
    return location;
}

Placement place(const std::vector<int>& rank_counts, RankOrder order, std::uint32_t seed) {
    const int hosts = static_cast<int>(rank_counts.size());
    Placement placement;
    if (order == RankOrder::in_turn) {
        const int largest = *std::max_element(rank_counts.begin(), rank_counts.end());
        for (int index = 0; index < largest; ++index) {
            for (int host = 0; host < hosts; ++host) {
                if (index < rank_counts[host]) placement.push_back(location(host, index));
            }
        }
        return placement;
    }
    for (int host = 0; host < hosts; ++host) {
        for (int index = 0; index < rank_counts[host]; ++index) placement.push_back(location(host, index));
    }
    if (order == RankOrder::by_host) return placement;
    Dice dice(seed);
    for (int last = static_cast<int>(placement.size()) - 1; last > 0; --last) {
        std::swap(placement[last], placement[dice.roll(0, last)]);
    }
    return placement;
}

std::string describe(const Shape& shape, const std::vector<int>& rank_counts, RankOrder order, std::uint32_t seed) {
    std::string text;
    for (std::size_t d = 0; d < shape.sizes.size(); ++d) {
        text += (d > 0 ? "x" : "") + std::to_string(shape.sizes[d]) + ((shape.wrapped >> d & 1u) != 0 ? "w" : "");
    }
    const auto [smallest, largest] = std::minmax_element(rank_counts.begin(), rank_counts.end());
    text += ", " + std::to_string(*smallest) + "-" + std::to_string(*largest) + " ranks per host, ";
    if (order == RankOrder::shuffled) return text + "shuffled with seed " + std::to_string(seed);
    return text + (order == RankOrder::by_host ? "host after host" : "on hosts in turn");
}

}  // namespace

int Shape::volume() const {
    int volume = 1;
    for (const int size : sizes) volume *= size;
    return volume;
}

std::vector<int> equal_ranks_per_host(const Shape& shape, int ranks_per_host) {
    return std::vector<int>(shape.volume(), ranks_per_host);
}

Machine make_machine(const Shape& shape, const std::vector<int>& rank_counts, RankOrder order, std::uint32_t seed) {
    return {describe(shape, rank_counts, order, seed), make_fabric(shape), place(rank_counts, order, seed)};
}

}  // namespace coll_topo::test
