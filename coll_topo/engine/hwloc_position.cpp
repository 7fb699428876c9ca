// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/engine.h"
#include "coll_topo/engine/guard.hpp"
#include "coll_topo/input/host_identity.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

using namespace coll_topo;

void coll_topo_locate(void* hwloc_topology, coll_topo_location* location) {
    location->package = location->numa = location->l3 = location->core = COLL_TOPO_UNBOUND;
    location->processors = 0;
    guarded(nullptr, 0, [&] {
        const auto topology = static_cast<hwloc_topology_t>(hwloc_topology);
        const std::unique_ptr<hwloc_bitmap_s, void (*)(hwloc_bitmap_t)> binding(hwloc_bitmap_alloc(),
                                                                                hwloc_bitmap_free);
        if (binding == nullptr || hwloc_get_cpubind(topology, binding.get(), HWLOC_CPUBIND_PROCESS) != 0) return 0;
        const HostPosition position = locate(topology, binding.get());
        const int processors = std::max(0, hwloc_bitmap_weight(binding.get()));
        *location = {location->host, position.package, position.numa,
                     position.l3,    position.core,    static_cast<std::uint32_t>(processors)};
        return 0;
    });
}

int coll_topo_hwloc_coordinates(void* hwloc_topology, char* coordinates, size_t size) {
    int found = 0;
    guarded(coordinates, size, [&] {
        const auto read = annotated_coordinates(static_cast<hwloc_topology_t>(hwloc_topology));
        std::string text;
        if (read) {
            for (const int coordinate : *read) text += (text.empty() ? "" : ",") + std::to_string(coordinate);
            found = text.empty() ? 0 : 1;
        } else {
            text = read.error().text();
            found = -1;
        }
        write_message(text, coordinates, size);
        return 0;
    });
    return found;
}
