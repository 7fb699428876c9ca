// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/host_identity.hpp"

#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/source_text.hpp"

#include <limits>
#include <string_view>

namespace coll_topo {

namespace {

bool is_address(std::string_view attribute) {
    const bool is_gid = attribute.starts_with("Port") && attribute.find("GID") != std::string_view::npos;
    return attribute == "Address" || attribute == "NodeGUID" || attribute == "SysImageGUID" || is_gid;
}

bool is_network_device(hwloc_obj_t device) {
    return device->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK ||
           device->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS;
}

/// The index of the smallest object of a type that holds all of the binding; of several memories of the same processors
/// the first.
std::uint16_t holder(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_const_cpuset_t binding) {
    hwloc_obj_t best = nullptr;
    for (hwloc_obj_t object = hwloc_get_next_obj_by_type(topology, type, nullptr); object;
         object = hwloc_get_next_obj_by_type(topology, type, object)) {
        if (!hwloc_bitmap_isincluded(binding, object->cpuset)) continue;
        if (!best || hwloc_bitmap_weight(object->cpuset) < hwloc_bitmap_weight(best->cpuset)) best = object;
    }
    const bool found = best && best->logical_index < HostPosition::unbound;
    return found ? static_cast<std::uint16_t>(best->logical_index) : HostPosition::unbound;
}

}  // namespace

Expected<std::vector<int>> annotated_coordinates(hwloc_topology_t topology) {
    const char* const attribute = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), coordinate_attribute);
    std::vector<int> coordinates;
    if (!attribute) return coordinates;
    for (const Located& part : split(Located{attribute}, ',')) {
        const auto value = parse_integer(part, 0, std::numeric_limits<int>::max(), "a coordinate");
        if (!value) {
            std::string message = "hwloc attribute ";
            message.append(coordinate_attribute).append(" of the machine: ").append(value.error().message);
            return failure(message);
        }
        coordinates.push_back(static_cast<int>(*value));
    }
    return coordinates;
}

std::vector<NetworkAddress> network_addresses(hwloc_topology_t topology) {
    std::vector<NetworkAddress> addresses;
    for (hwloc_obj_t device = hwloc_get_next_osdev(topology, nullptr); device;
         device = hwloc_get_next_osdev(topology, device)) {
        if (!is_network_device(device)) continue;
        for (unsigned index = 0; index < device->infos_count; ++index) {
            const hwloc_info_s& info = device->infos[index];
            if (is_address(info.name)) addresses.push_back({device->name ? device->name : "", info.name, info.value});
        }
    }
    return addresses;
}

HostPosition locate(hwloc_topology_t topology, hwloc_const_cpuset_t binding) {
    if (!binding || hwloc_bitmap_iszero(binding)) return {};
    return {holder(topology, HWLOC_OBJ_PACKAGE, binding), holder(topology, HWLOC_OBJ_NUMANODE, binding),
            holder(topology, HWLOC_OBJ_L3CACHE, binding), holder(topology, HWLOC_OBJ_CORE, binding)};
}

}  // namespace coll_topo
