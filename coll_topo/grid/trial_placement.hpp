// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"

#include <string_view>
#include <vector>

namespace coll_topo {

/// Gives hosts of the fabric to the ranks of a job, wherever they really run, to try out a topology.
class TrialPlacement {
public:
    /// `rule` is "rank" (ranks_per_host consecutive ranks on each host, in the order of the file), "roundrobin" (hosts
    /// in turn, as many as the job needs at ranks_per_host each), or a hostlist that is used up like "rank", in which a
    /// host may be named more than once. Fails if the rule cannot be read or there are too few hosts.
    static Expected<TrialPlacement> make(const Fabric& fabric, std::string_view rule, int ranks_per_host,
                                         int job_ranks);

    /// The host of a rank, 0 .. job_ranks-1.
    int host(int rank) const;

private:
    std::vector<int> listed_;  // hosts of a list; empty: all hosts in order
    int ranks_per_host_ = 1;
    int hosts_in_turn_ = 0;  // roundrobin: hosts in use; 0 otherwise
};

}  // namespace coll_topo
