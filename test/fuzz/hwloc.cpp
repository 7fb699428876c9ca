// SPDX-License-Identifier: BSD-3-Clause
#include "test/fuzz/readers.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/engine/engine.h"
#include "coll_topo/input/host_identity.hpp"

#include <array>
#include <memory>
#include <vector>

namespace coll_topo::fuzz {

namespace {

/// As text of an attribute of XML, which has no control characters.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char character : text) {
        const bool printable = character >= ' ' && character <= '~';
        result += character == '<'   ? "&lt;"
                  : character == '>' ? "&gt;"
                  : character == '&' ? "&amp;"
                  : character == '"' ? "&quot;"
                                     : std::string(1, printable ? character : '?');
    }
    return result;
}

std::string note(std::string_view name, std::string_view value) {
    return "<info name=\"" + escaped(name) + "\" value=\"" + escaped(value) + "\"/>";
}

/// A machine of two cores with notes of the coordinates, of its lines NAME=VALUE on the machine, and of lines
/// DEVICE.NAME=VALUE on network devices.
std::string machine_xml(std::string_view bytes) {
    std::string notes, devices;
    for (const std::string_view line : split(bytes, '\n')) {
        const std::size_t equals = line.find('=');
        const std::string_view name = line.substr(0, equals);
        const std::string_view value = equals == std::string_view::npos ? "" : line.substr(equals + 1);
        const std::size_t dot = name.find('.');
        if (dot == std::string_view::npos) {
            notes += note(name, value);
        } else {
            devices += "<object type=\"OSDev\" name=\"" + escaped(name.substr(0, dot)) + "\" osdev_type=\"" +
                       (name.size() % 2 == 0 ? "2" : "3") + "\">" + note(name.substr(dot + 1), value) + "</object>";
        }
    }
    const std::string sets =
        "cpuset=\"0x00000003\" complete_cpuset=\"0x00000003\" allowed_cpuset=\"0x00000003\" "
        "nodeset=\"0x00000001\" complete_nodeset=\"0x00000001\" allowed_nodeset=\"0x00000001\"";
    const auto set = [](int mask) {
        const std::string text = "\"0x0000000" + std::to_string(mask) + "\"";
        return "cpuset=" + text + " complete_cpuset=" + text +
               " nodeset=\"0x00000001\" complete_nodeset=\"0x00000001\"";
    };
    std::string xml = R"(<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE topology SYSTEM "hwloc2.dtd">)"
                      "<topology version=\"2.0\"><object type=\"Machine\" os_index=\"0\" " +
                      sets + " gp_index=\"1\">" + notes + "<object type=\"NUMANode\" os_index=\"0\" " + set(3) +
                      " gp_index=\"2\" local_memory=\"1024\"/>";
    for (int core = 0; core < 2; ++core) {
        const std::string index = std::to_string(core);
        xml += "<object type=\"Core\" os_index=\"" + index + "\" " + set(core + 1) + " gp_index=\"" +
               std::to_string(3 + 2 * core) + "\"><object type=\"PU\" os_index=\"" + index + "\" " + set(core + 1) +
               " gp_index=\"" + std::to_string(4 + 2 * core) + "\"/></object>";
    }
    int gp_index = 10;
    for (std::size_t at = 0; (at = devices.find("<object", at)) != std::string::npos; at += 7) {
        devices.insert(at + 7, " gp_index=\"" + std::to_string(gp_index++) + "\"");
    }
    return xml + devices + "</object></topology>";
}

using Machine = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

Machine load(const std::string& xml) {
    hwloc_topology_t topology = nullptr;
    hwloc_topology_init(&topology);
    Machine machine(topology, hwloc_topology_destroy);
    hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    const bool loaded = hwloc_topology_set_xmlbuffer(topology, xml.c_str(), static_cast<int>(xml.size() + 1)) == 0 &&
                        hwloc_topology_load(topology) == 0;
    if (!loaded) machine.reset();
    return machine;
}

}  // namespace

/// The XML is always in order: hwloc's own reader is not what is tested. Its notes are not.
std::string hwloc_complaint(std::string_view bytes) {
    const std::string xml = machine_xml(bytes);
    const Machine machine = load(xml);
    if (!machine) return "hwloc does not take the machine: " + xml;
    for (const NetworkAddress& address : network_addresses(machine.get())) {
        if (address.attribute.empty()) return "an address without a name";
    }
    const auto coordinates = annotated_coordinates(machine.get());
    std::array<char, 64> text{};
    const int found = coll_topo_hwloc_coordinates(machine.get(), text.data(), text.size());
    if (found != (!coordinates ? -1 : coordinates->empty() ? 0 : 1)) return "coordinates that are others in C";
    if (!coordinates) return coordinates.error().message.empty() ? "an error without a message" : "";
    for (const int coordinate : *coordinates) {
        if (coordinate < 0) return "a coordinate below 0";
    }
    coll_topo_location location{};
    coll_topo_locate(machine.get(), &location);
    return {};
}

}  // namespace coll_topo::fuzz
