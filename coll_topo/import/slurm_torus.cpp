// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/import/slurm_hostlist.hpp"
#include "coll_topo/import/slurm_topology.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/torus_reader.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace coll_topo::importing {

namespace {

using Cells = std::vector<std::pair<std::int64_t, std::string>>;

/// Hosts at cells; each cell and each host once.
Expected<RecognisedNetwork> torus_network(Torus torus, Cells cells, const SourceLocation& where) {
    std::sort(cells.begin(), cells.end());
    NameTable hosts;
    std::vector<std::int64_t> cell_of_host;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0 && cells[i].first == cells[i - 1].first) {
            return failure("nodes " + in_quotes(cells[i - 1].second) + " and " + in_quotes(cells[i].second) +
                               " have the same place in the torus",
                           where);
        }
        if (hosts.add(cells[i].second) == NameTable::missing) {
            return failure("node " + in_quotes(cells[i].second) + " is given twice", where);
        }
        if (static_cast<std::int64_t>(cells.size()) < torus.cells()) cell_of_host.push_back(cells[i].first);
    }
    if (cells.empty()) return failure("there are no nodes", where);
    return RecognisedNetwork{Fabric{std::move(hosts), std::move(torus), std::move(cell_of_host)}, {}};
}

Torus torus_of_sizes(const std::string& name, const std::vector<int>& sizes) {
    std::vector<TorusDimension> dimensions;
    for (const int size : sizes) {
        if (size > 1 || sizes.size() == 1) {
            dimensions.push_back({size, true, default_torus_bandwidth, default_torus_latency});
        }
    }
    if (dimensions.empty()) dimensions.push_back({1, true, default_torus_bandwidth, default_torus_latency});
    return {name, std::move(dimensions), Tie::parity};
}

}  // namespace

Expected<RecognisedNetwork> torus3d_network(const SlurmTorus& torus, const SlurmNodes& nodes) {
    const auto [x, y, z] = torus.sizes;
    if (std::int64_t{x} * y > most_names || std::int64_t{x} * y * z > most_names) {
        return failure("torus of more than " + std::to_string(most_names) + " cells", torus.where);
    }
    Cells cells;
    for (const SlurmRegion& region : torus.regions) {
        const auto& size = region.sizes;
        for (std::size_t d = 0; d < 3; ++d) {
            if (region.anchor[d] + size[d] <= torus.sizes[d]) continue;
            return failure("the region does not fit in the torus", region.where);
        }
        if (std::int64_t{size[0]} * size[1] * size[2] != static_cast<std::int64_t>(region.nodes.size())) {
            return failure(counted(static_cast<long long>(region.nodes.size()), "node", "nodes") + " for " +
                               std::to_string(std::int64_t{size[0]} * size[1] * size[2]) +
                               " cells; topology.yaml tells which are where",
                           region.where);
        }
        for (std::size_t i = 0; i < region.nodes.size(); ++i) {
            const auto at = static_cast<std::int64_t>(i);
            const std::int64_t cx = region.anchor[0] + at % size[0], cy = region.anchor[1] + at / size[0] % size[1],
                               cz = region.anchor[2] + at / (std::int64_t{size[0]} * size[1]);
            cells.emplace_back(cx + x * (cy + y * cz), nodes.host_of(region.nodes[i]));
        }
    }
    if (const auto good = check_name({torus.name}); !good) return failure(good.error().message, torus.where);
    return torus_network(torus_of_sizes(torus.name, {x, y, z}), std::move(cells), torus.where);
}

Expected<RecognisedNetwork> ring_network(const SlurmBlock& ring, const SlurmNodes& nodes) {
    if (ring.nodes.empty()) return failure("there are no nodes", ring.where);
    if (const auto good = check_name({ring.name}); !good) return failure(good.error().message, ring.where);
    Cells cells;
    for (const std::string& node : ring.nodes) cells.emplace_back(cells.size(), nodes.host_of(node));
    return torus_network(torus_of_sizes(ring.name, {static_cast<int>(ring.nodes.size())}), std::move(cells),
                         ring.where);
}

Expected<RecognisedNetwork> network_of_3d_torus(const SlurmNodes& nodes, const std::string& file) {
    std::array<int, 3> sizes = {1, 1, 1};
    std::vector<std::array<int, 3>> places;
    for (const std::string& node : nodes.nodes) {
        std::array<int, 3> place = {-1, -1, -1};
        for (std::size_t d = 0; d < 3 && node.size() > 3; ++d) {
            place[d] = coordinate_of_digit(node[node.size() - 3 + d]).value_or(-1);
            sizes[d] = std::max(sizes[d], place[d] + 1);
        }
        if (*std::min_element(place.begin(), place.end()) < 0) {
            return failure("node " + in_quotes(node) +
                               " of topology/3d_torus does not end in three coordinates, 0 to 9 "
                               "or A to Z",
                           {file, 1});
        }
        places.push_back(place);
    }
    Cells cells;
    for (std::size_t i = 0; i < places.size(); ++i) {
        cells.emplace_back(places[i][0] + sizes[0] * (places[i][1] + std::int64_t{sizes[1]} * places[i][2]),
                           nodes.host_of(nodes.nodes[i]));
    }
    return torus_network(torus_of_sizes("torus", {sizes[0], sizes[1], sizes[2]}), std::move(cells), {file, 1});
}

}  // namespace coll_topo::importing
