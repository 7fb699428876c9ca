// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/engine/engine.h"
#include "coll_topo/engine/guard.hpp"
#include "coll_topo/engine/topology.hpp"
#include "coll_topo/input/host_identity.hpp"
#include "coll_topo/input/wording.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>

#include <memory>
#include <string>

using namespace coll_topo;

namespace {

/// Adds a host that was found; fails, and names both, if it is another one than before.
Expected<void> agree(const NameTable& hosts, int& found, int host) {
    if (host == NameTable::missing || host == found) return {};
    if (found == NameTable::missing) {
        found = host;
        return {};
    }
    return failure("this host has addresses of both " + in_quotes(hosts.name(found)) + " and " +
                   in_quotes(hosts.name(host)));
}

/// The host whose name, or address, in the file is an address of this machine, as 10.1.0.17.
Expected<int> host_with_own_ip(const coll_topo_topology& topology) {
    const NameTable& hosts = topology.fabric.hosts;
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) return NameTable::missing;
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> addresses(list, freeifaddrs);
    int found = NameTable::missing;
    for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
        const int family = one->ifa_addr == nullptr ? AF_UNSPEC : one->ifa_addr->sa_family;
        if ((family != AF_INET && family != AF_INET6) || (one->ifa_flags & IFF_LOOPBACK) != 0) continue;
        char text[NI_MAXHOST] = "";
        const socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        if (getnameinfo(one->ifa_addr, size, text, sizeof text, nullptr, 0, NI_NUMERICHOST) != 0) continue;
        const std::string_view address = std::string_view(text).substr(0, std::string_view(text).find('%'));
        RETURN_IF_ERROR(agree(hosts, found, hosts.find(address)));
        const auto known = topology.addresses.find(plain_address(address));
        if (known != topology.addresses.end()) RETURN_IF_ERROR(agree(hosts, found, known->second));
    }
    return found;
}

Expected<int> host_with_own_adapter(const coll_topo_topology& topology, hwloc_topology_t machine) {
    int found = NameTable::missing;
    for (const NetworkAddress& address : network_addresses(machine)) {
        const auto known = topology.addresses.find(plain_address(address.value));
        if (known == topology.addresses.end()) continue;
        RETURN_IF_ERROR(agree(topology.fabric.hosts, found, known->second));
    }
    return found;
}

/// The host, -1 or -2 with a message.
int result_of(const Expected<int>& host, char* message, std::size_t size) {
    if (host) return *host;
    write_message(host.error().message, message, size);
    return COLL_TOPO_SEVERAL_HOSTS;
}

}  // namespace

int coll_topo_topology_find_host(const coll_topo_topology* topology, const char* name, char* message, size_t size) {
    int host = NameTable::missing;
    guarded(message, size, [&] {
        host = result_of(match_host(topology->fabric.hosts, name), message, size);
        return 0;
    });
    return host;
}

int coll_topo_topology_host_by_address(const coll_topo_topology* topology, void* hwloc_topology, char* message,
                                       size_t size) {
    int host = NameTable::missing;
    guarded(message, size, [&] {
        if (hwloc_topology != nullptr && !topology->addresses.empty()) {
            host = result_of(host_with_own_adapter(*topology, static_cast<hwloc_topology_t>(hwloc_topology)), message,
                             size);
        }
        if (host == NameTable::missing) host = result_of(host_with_own_ip(*topology), message, size);
        return 0;
    });
    return host;
}
