// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/import/cable_list.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace coll_topo::importing {

/// What is known of an interface beside LLDP: its MAC, and Mbit/s; empty and 0: not known.
struct InterfaceFacts {
    std::string address;
    int megabits = 0;
};

/// The facts of an interface of this machine, as Linux has them in /sys/class/net.
InterfaceFacts interface_facts(const std::string& name);

/// One line of JSON about a host's neighbours, from what `lldpctl -f json` prints on it: display_interface(),
/// display_chassis() and display_port() of src/client/display.c in lldpd, as src/client/json_writer.c writes them.
/// Fails on other text.
Expected<std::string> neighbour_line(std::string_view lldpctl_json, const std::string& host,
                                     const std::function<InterfaceFacts(const std::string&)>& facts);

/// The same of a host on which lldpctl has failed.
std::string failure_line(const std::string& host, const std::string& reason);

bool is_neighbour_lines(std::string_view text);

/// Reads such lines of many hosts, and of switches, which tell of the cables between these. A switch is what its
/// neighbours see as a bridge, or has no line.
Expected<CableList> read_neighbour_lines(std::string_view text, const std::string& file);

}  // namespace coll_topo::importing
