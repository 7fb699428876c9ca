// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/host_identity.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string_view>

namespace coll_topo {
namespace {

/// A topology that hwloc makes from a line of text.
class Machine {
public:
    explicit Machine(const char* synthetic) {
        hwloc_topology_init(&topology_);
        if (hwloc_topology_set_synthetic(topology_, synthetic) != 0) ADD_FAILURE() << synthetic;
        hwloc_topology_load(topology_);
    }
    ~Machine() { hwloc_topology_destroy(topology_); }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    hwloc_topology_t topology() const { return topology_; }
    void annotate(const char* value) { hwloc_obj_add_info(hwloc_get_root_obj(topology_), coordinate_attribute, value); }
    /// Locates a binding to the processing units first .. last.
    HostPosition locate(int first, int last) const {
        const std::unique_ptr<hwloc_bitmap_s, void (*)(hwloc_bitmap_t)> binding(hwloc_bitmap_alloc(),
                                                                                hwloc_bitmap_free);
        hwloc_bitmap_set_range(binding.get(), first, last);
        return coll_topo::locate(topology_, binding.get());
    }

private:
    hwloc_topology_t topology_ = nullptr;
};

constexpr auto unbound = HostPosition::unbound;

// 2 packages, each 2 NUMA nodes of 2 L3 caches of 2 cores of 2 processing units.
constexpr const char* two_packages = "package:2 group:2 [numa] l3:2 core:2 pu:2";

void expect_position(const HostPosition& position, int package, int numa, int l3, int core) {
    EXPECT_EQ(package, position.package);
    EXPECT_EQ(numa, position.numa);
    EXPECT_EQ(l3, position.l3);
    EXPECT_EQ(core, position.core);
}

TEST(HostIdentity, LocatesABindingInEveryPartThatHoldsIt) {
    const Machine machine(two_packages);
    expect_position(machine.locate(0, 0), 0, 0, 0, 0);
    expect_position(machine.locate(31, 31), 1, 3, 7, 15);
    expect_position(machine.locate(18, 19), 1, 2, 4, 9);
}

TEST(HostIdentity, ABindingOverSeveralPartsIsUnboundThere) {
    const Machine machine(two_packages);
    expect_position(machine.locate(16, 19), 1, 2, 4, unbound);
    expect_position(machine.locate(16, 23), 1, 2, unbound, unbound);
    expect_position(machine.locate(16, 31), 1, unbound, unbound, unbound);
    expect_position(machine.locate(0, 31), unbound, unbound, unbound, unbound);
}

TEST(HostIdentity, PartsThatAreNotThereAreUnbound) {
    const Machine machine("package:1 core:2 pu:1");
    expect_position(machine.locate(1, 1), 0, 0, unbound, 1);
}

TEST(HostIdentity, NoBindingIsNowhere) {
    const Machine machine(two_packages);
    expect_position(locate(machine.topology(), nullptr), unbound, unbound, unbound, unbound);
    const std::unique_ptr<hwloc_bitmap_s, void (*)(hwloc_bitmap_t)> empty(hwloc_bitmap_alloc(), hwloc_bitmap_free);
    expect_position(locate(machine.topology(), empty.get()), unbound, unbound, unbound, unbound);
}

TEST(HostIdentity, ReadsTheCoordinatesOfTheMachine) {
    Machine machine("core:2 pu:1");
    auto coordinates = annotated_coordinates(machine.topology());
    ASSERT_TRUE(coordinates);
    EXPECT_TRUE(coordinates->empty());
    machine.annotate("3,1,0");
    coordinates = annotated_coordinates(machine.topology());
    ASSERT_TRUE(coordinates);
    EXPECT_EQ((std::vector<int>{3, 1, 0}), *coordinates);
}

TEST(HostIdentity, RefusesCoordinatesThatAreNoNumbers) {
    Machine machine("core:2 pu:1");
    machine.annotate("3,,0");
    const auto coordinates = annotated_coordinates(machine.topology());
    ASSERT_FALSE(coordinates);
    EXPECT_EQ("hwloc attribute CollTopoCoord of the machine: expected a whole number for a coordinate, found ''",
              coordinates.error().text());
}

constexpr std::string_view machine_with_devices = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x1" complete_cpuset="0x1" allowed_cpuset="0x1" nodeset="0x1"
          complete_nodeset="0x1" allowed_nodeset="0x1">
    <object type="NUMANode" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1"/>
    <object type="Core" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1">
      <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1"/>
    </object>
    <object type="OSDev" name="eth0" osdev_type="2">
      <info name="Address" value="02:00:00:00:00:01"/>
      <info name="Driver" value="none"/>
    </object>
    <object type="OSDev" name="sda" osdev_type="0"><info name="Address" value="no network"/></object>
    <object type="OSDev" name="mlx5_0" osdev_type="3">
      <info name="NodeGUID" value="0002:c903:0000:0001"/>
      <info name="Port1GID0" value="fe80:0000:0000:0000:0002:c903:0000:0002"/>
      <info name="Port1LMC" value="0"/>
    </object>
  </object>
</topology>
)";

TEST(HostIdentity, ListsTheAddressesOfNetworkDevices) {
    hwloc_topology_t topology = nullptr;
    hwloc_topology_init(&topology);
    hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    const int size = static_cast<int>(machine_with_devices.size()) + 1;
    ASSERT_EQ(0, hwloc_topology_set_xmlbuffer(topology, machine_with_devices.data(), size));
    ASSERT_EQ(0, hwloc_topology_load(topology));
    const std::vector<NetworkAddress> addresses = network_addresses(topology);
    hwloc_topology_destroy(topology);

    ASSERT_EQ(3u, addresses.size());
    EXPECT_EQ("eth0", addresses[0].device);
    EXPECT_EQ("Address", addresses[0].attribute);
    EXPECT_EQ("02:00:00:00:00:01", addresses[0].value);
    EXPECT_EQ("mlx5_0", addresses[1].device);
    EXPECT_EQ("NodeGUID", addresses[1].attribute);
    EXPECT_EQ("Port1GID0", addresses[2].attribute);
}

}  // namespace
}  // namespace coll_topo
