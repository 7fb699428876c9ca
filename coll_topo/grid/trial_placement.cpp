// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/trial_placement.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/hostlist.hpp"

#include <string>

namespace coll_topo {
namespace {

Expected<std::vector<int>> hosts_of_list(const Fabric& fabric, std::string_view list) {
    std::vector<int> hosts;
    const auto visit = [&](std::string_view name, const Located&) -> Expected<void> {
        const int host = fabric.hosts.find(name);
        if (host == NameTable::missing) {
            return failure("the topology file has no host '" + std::string(name) + "'");
        }
        hosts.push_back(host);
        return {};
    };
    if (auto read = for_each_name(Located{list}, visit); !read) {
        return failure("coll_topo_place: " + read.error().message);
    }
    return hosts;
}

}  // namespace

Expected<TrialPlacement> TrialPlacement::make(const Fabric& fabric, std::string_view rule, int ranks_per_host,
                                              int job_ranks) {
    TrialPlacement placement;
    if (ranks_per_host < 1) return failure("coll_topo_ranks_per_host must be at least 1");
    placement.ranks_per_host_ = ranks_per_host;
    int hosts = fabric.hosts.size();
    if (rule != "rank" && rule != "roundrobin") {
        ASSIGN_OR_RETURN(auto listed, hosts_of_list(fabric, rule));
        placement.listed_ = std::move(listed);
        hosts = static_cast<int>(placement.listed_.size());
    }
    const int needed = (job_ranks + ranks_per_host - 1) / ranks_per_host;
    if (needed > hosts) {
        return failure("coll_topo_place=" + std::string(rule) + ": " + std::to_string(job_ranks) + " ranks at " +
                       std::to_string(ranks_per_host) + " per host need " + std::to_string(needed) +
                       " hosts, but there are " + std::to_string(hosts) +
                       "; start fewer ranks or raise coll_topo_ranks_per_host");
    }
    if (rule == "roundrobin") placement.hosts_in_turn_ = needed;
    return placement;
}

int TrialPlacement::host(int rank) const {
    if (hosts_in_turn_ > 0) return rank % hosts_in_turn_;
    const int index = rank / ranks_per_host_;
    return listed_.empty() ? index : listed_[index];
}

}  // namespace coll_topo
