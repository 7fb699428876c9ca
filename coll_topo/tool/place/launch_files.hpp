// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// Consecutive ranks on one host.
struct HostRanks {
    std::string host;
    int first = 0;
    int count = 1;
};

/// `ranks` ranks in order on the hosts, `ranks_per_host` on each but the last, which may have fewer.
std::vector<HostRanks> assign_ranks(std::span<const std::string> hosts, int ranks, int ranks_per_host);

/// A hostfile of Open MPI: mpirun fills the slots of a host before it goes on to the next, so that the ranks are
/// numbered as wanted unless --map-by says otherwise.
std::string hostfile_text(std::span<const HostRanks> hosts);

/// A rankfile of Open MPI 4.1: rank by rank, the i-th of a host bound to core i.
std::string rankfile_text(std::span<const HostRanks> hosts);

}  // namespace coll_topo::tool
