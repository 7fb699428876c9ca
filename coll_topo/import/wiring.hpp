// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::importing {

/// The cables between a host and a switch.
struct HostCables {
    int host = 0;
    int at = 0;  ///< switch
    int count = 1;
    double bandwidth = 0;  ///< of one cable, bytes/s; 0: not known
};

/// The cables between two switches.
struct SwitchCables {
    int a = 0, b = 0;
    int count = 1;
    double bandwidth = 0;  ///< of the slowest of them, bytes/s; 0: not known
};

/// Adds cables between the same two ends; the slowest speed counts.
template <typename Cables>
void add_parallel(Cables& sum, const Cables& more) {
    sum.count += more.count;
    const bool is_slowest = sum.bandwidth == 0 || (more.bandwidth > 0 && more.bandwidth < sum.bandwidth);
    if (is_slowest) sum.bandwidth = more.bandwidth;
}

/// GUIDs and MACs of adapters, and IP addresses, by the names of hosts.
using AddressesOfHosts = std::map<std::string, std::vector<std::string>>;

/// Hosts, switches and cables: what a source says of a network, before it is known of what family it is. Each pair of a
/// host and a switch, and of two switches, is there once.
struct Wiring {
    std::vector<std::string> hosts = {};
    std::vector<std::string> switches = {};  ///< names that a topology file can have, each once
    std::vector<HostCables> host_cables = {};
    std::vector<SwitchCables> switch_cables = {};
    bool is_directed = false;  ///< every `a` is below its `b`: the source says which switches are above which
    std::vector<Error> notes = {};
    AddressesOfHosts addresses = {};
    std::map<std::string, std::string> switch_of_address = {};  ///< GUID as plain_address() -> name of the switch
};

void add_note(std::vector<Error>& notes, std::string message);

/// The cables of each switch to others.
struct Neighbour {
    int index = 0;   ///< switch
    int cables = 0;  ///< of Wiring::switch_cables
};
using Neighbours = std::vector<std::vector<Neighbour>>;
Neighbours neighbours_of(const Wiring& wiring);

/// By switch: how many hosts it has.
std::vector<int> hosts_of_switches(const Wiring& wiring);

/// "leaf2" before "leaf10": numbers in names are compared as numbers.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace coll_topo::importing
