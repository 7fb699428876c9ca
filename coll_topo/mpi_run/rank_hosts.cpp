// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/rank_hosts.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/host_match.hpp"

namespace coll_topo::bench {

Expected<std::vector<int>> hosts_by_name(const Fabric& fabric, const std::vector<std::string>& host_of_rank) {
    std::vector<int> hosts;
    for (const std::string& name : host_of_rank) {
        ASSIGN_OR_RETURN(const int host, match_host(fabric.hosts, name));
        if (host == NameTable::missing) {
            return failure("rank " + std::to_string(hosts.size()) + " runs on host '" + name +
                           "', which the topology file does not list");
        }
        hosts.push_back(host);
    }
    return hosts;
}

}  // namespace coll_topo::bench
