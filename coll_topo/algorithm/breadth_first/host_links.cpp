// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/breadth_first/host_links.hpp"

namespace coll_topo {
namespace {

struct Next {
    int host = -1;  // none: the edge of a mesh, or the host itself is alone on its ring
    int hops = 0;
};

/// The next host from a cell on a line of a dimension. `stride`: from cell to cell along it.
Next next_host(const HostCells& cells, std::int64_t cell, const TorusDimension& dimension, std::int64_t stride,
               int way) {
    const int start = static_cast<int>(cell / stride % dimension.size);
    const std::int64_t line = cell - start * stride;
    for (int hops = 1; hops < dimension.size; ++hops) {
        int coordinate = start + way * hops;
        if (!dimension.wrapped && (coordinate < 0 || coordinate >= dimension.size)) break;
        coordinate = (coordinate + dimension.size) % dimension.size;
        const int host = cells.host_at(line + coordinate * stride);
        if (host >= 0) return {host, hops};
    }
    return {};
}

}  // namespace

HostLinks::HostLinks(const HostCells& cells, int hosts) {
    for (int host = 0; host < hosts; ++host) {
        std::int64_t stride = 1;
        for (const TorusDimension& dimension : cells.part().dimensions()) {
            const Next ahead = next_host(cells, cells.cell(host), dimension, stride, 1);
            const Next back = next_host(cells, cells.cell(host), dimension, stride, -1);
            const auto join = [&](Next next) {
                const double latency = cells.start_latency() + next.hops * dimension.latency;
                links_.push_back({next.hops, next.host, dimension.bandwidth, latency});
            };
            // On a ring messages go the shorter way round. Both ways are equally long only for two hosts alone on the
            // ring, or where the other way leads past more hosts.
            const auto direct = [&](Next next) {
                return next.host >= 0 && (!dimension.wrapped || 2 * next.hops < dimension.size);
            };
            if (direct(ahead)) join(ahead);
            if (direct(back)) join(back);
            const bool opposite = dimension.wrapped && 2 * ahead.hops == dimension.size && ahead.host == back.host;
            if (ahead.host >= 0 && opposite) join(ahead);
            stride *= dimension.size;
        }
        begin_.push_back(static_cast<std::int32_t>(links_.size()));
    }
}

int HostLinks::number(int from, int to) const {
    const auto links = of(from);
    int number = 0;
    while (links[number].host != to) ++number;
    return number;
}

}  // namespace coll_topo
