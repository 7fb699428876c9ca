// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/place/place_comparison.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"

#include <utility>

namespace coll_topo::tool {

namespace {

Placement ranks_on(const std::vector<std::int32_t>& hosts, int ranks, int ranks_per_host) {
    Placement placement;
    for (int rank = 0; rank < ranks; ++rank) {
        RankLocation location;
        location.host = hosts[rank / ranks_per_host];
        placement.push_back(location);
    }
    return placement;
}

Expected<ExpectedTimes> expected_times(const JobRequest& request, std::string name,
                                       const std::vector<std::int32_t>& hosts, const std::vector<std::int64_t>& bytes) {
    ScenarioOptions asked;
    asked.file = request.file_name;
    ASSIGN_OR_RETURN(auto scenario,
                     make_scenario(request.file, ranks_on(hosts, request.ranks, request.ranks_per_host), asked));
    ExpectedTimes times{std::move(name), {}};
    for (const std::int64_t size : bytes) {
        scenario.request.bytes = static_cast<double>(size);
        ASSIGN_OR_RETURN(const auto candidate, choose(scenario));
        times.seconds.push_back(candidate.seconds);
    }
    return times;
}

}  // namespace

Expected<std::vector<ExpectedTimes>> compare_placements(const JobRequest& request, const JobPlacement& chosen,
                                                        const std::vector<std::int64_t>& bytes) {
    std::vector<ExpectedTimes> all;
    const auto add = [&](std::string name, const std::vector<std::int32_t>& hosts) -> Expected<void> {
        ASSIGN_OR_RETURN(auto times, expected_times(request, std::move(name), hosts, bytes));
        all.push_back(std::move(times));
        return {};
    };
    RETURN_IF_ERROR(add("these hosts", chosen.hosts));
    const std::pair<const char*, std::string> others[] = {
        {"first", "the first free hosts"}, {"random", "random hosts, seed " + std::to_string(request.job.seed)}};
    for (const auto& [rule, name] : others) {
        ASSIGN_OR_RETURN(const auto other, place_job(*find_placement_rule(rule), request.site, request.job));
        RETURN_IF_ERROR(add(name, other.hosts));
    }
    return all;
}

}  // namespace coll_topo::tool
