// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/box.hpp"
#include "coll_topo/grid/box_fit.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace coll_topo {
namespace {

std::string axis_name(std::size_t dimension) {
    return dimension < 4 ? std::string(1, "xyzw"[dimension]) : "d" + std::to_string(dimension);
}

std::vector<Axis> make_axes(const Fabric& fabric, const Torus& torus, const Box& box) {
    std::vector<Axis> axes;
    for (std::size_t d = 0; d < torus.dimensions().size(); ++d) {
        const TorusDimension& dimension = torus.dimensions()[d];
        const int size = static_cast<int>(box.coordinates[d].size());
        if (size == 1) continue;
        const bool wrapped = dimension.wrapped && size == dimension.size;
        const int cables = wrapped && size == 2 ? 2 : 1;
        axes.push_back(
            {axis_name(d), size, wrapped, dimension.bandwidth * cables, dimension.latency, fabric.start_latency()});
    }
    return axes;
}

int nearest_place(const Torus& torus, const Box& box, std::int64_t cell) {
    int place = 0, stride = 1;
    for (std::size_t d = 0; d < box.coordinates.size(); ++d) {
        const auto& chosen = box.coordinates[d];
        const auto at = std::lower_bound(chosen.begin(), chosen.end(), torus.coordinate(cell, static_cast<int>(d)));
        const auto nearest = at == chosen.end() ? chosen.end() - 1 : at;
        place += static_cast<int>(nearest - chosen.begin()) * stride;
        stride *= static_cast<int>(chosen.size());
    }
    return place;
}

/// Every extra host goes to the box host nearest to it by clamped coordinates, or the next one that is free.
std::vector<std::int32_t> choose_proxies(const Torus& torus, const Box& box, const std::vector<std::int64_t>& cells) {
    std::vector<std::int32_t> proxies;
    // By place: itself if it is free, else one nearer to the next that is. There are more places than other hosts.
    std::vector<std::int32_t> free(box.members.size());
    std::iota(free.begin(), free.end(), 0);
    for (const std::int32_t host : box.other_cells) {
        std::int32_t place = nearest_place(torus, box, cells[host]);
        while (free[place] != place) place = free[place] = free[free[place]];
        proxies.push_back(place);
        free[place] = (place + 1) % static_cast<std::int32_t>(free.size());
    }
    return proxies;
}

}  // namespace

BoxFit fit_on_torus(const Fabric& fabric, const Torus& torus, const HostsInUse& in_use) {
    std::vector<std::int64_t> cells;
    for (const std::int32_t host : in_use.hosts) cells.push_back(fabric.cell(host));
    Box box = find_box(torus, cells);
    if (box.members.empty()) return fit_in_line(fabric, in_use);
    BoxFit fit;
    fit.axes = make_axes(fabric, torus, box);
    fit.proxies = choose_proxies(torus, box, cells);
    fit.places = std::move(box.members);
    fit.extra_hosts = std::move(box.other_cells);
    return fit;
}

}  // namespace coll_topo
