// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/even_spread.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/fabric/leaf_groups.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace coll_topo {
namespace {

/// Free hosts by group and leaf, both in the order of the file.
using FreeHosts = std::map<std::int32_t, std::map<std::int32_t, std::vector<std::int32_t>>>;

FreeHosts sort_by_leaf(const SwitchGraph& graph, const std::vector<std::int32_t>& hosts) {
    const std::vector<std::int32_t> group = leaf_groups(graph);
    FreeHosts sorted;
    for (const std::int32_t host : hosts) {
        const std::int32_t leaf = graph.leaf_of_host[host];
        sorted[group[leaf]][leaf].push_back(host);
    }
    return sorted;
}

int total_of(std::span<const int> numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0);
}

/// "12 hosts", or "11 or 12 hosts" where shares differ.
std::string share_text(const std::vector<int>& shares) {
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    const std::string hosts = counted(*most, "host", "hosts");
    if (*least == *most) return hosts;
    return std::to_string(*least) + (*most - *least > 1 ? " to " : " or ") + hosts;
}

/// Takes the hosts; gives how many each leaf contributes.
std::vector<int> take_from_group(const std::map<std::int32_t, std::vector<std::int32_t>>& leaves, int share,
                                 std::vector<std::int32_t>& hosts) {
    std::vector<int> capacity;
    for (const auto& [leaf, free] : leaves) capacity.push_back(static_cast<int>(free.size()));
    const std::vector<int> shares = spread_over_fewest(capacity, share);
    std::vector<int> used;
    auto next = shares.begin();
    for (const auto& [leaf, free] : leaves) {
        const int taken = *next++;
        if (taken == 0) continue;
        hosts.insert(hosts.end(), free.begin(), free.begin() + taken);
        used.push_back(taken);
    }
    return used;
}

}  // namespace

std::vector<int> even_shares(std::span<const int> capacity, int total) {
    std::vector<int> shares(capacity.size(), 0);
    // Parts that are full at an equal share of what is left take what they hold; then the others share again.
    std::vector<std::size_t> open(capacity.size());
    std::iota(open.begin(), open.end(), std::size_t{0});
    while (!open.empty()) {
        const int equal = total / static_cast<int>(open.size());
        const auto full =
            std::stable_partition(open.begin(), open.end(), [&](std::size_t part) { return capacity[part] > equal; });
        if (full == open.end()) break;
        for (auto part = full; part != open.end(); ++part) total -= shares[*part] = capacity[*part];
        open.erase(full, open.end());
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
        const auto parts = static_cast<int>(open.size());
        shares[open[i]] = total / parts + (static_cast<int>(i) < total % parts ? 1 : 0);
    }
    return shares;
}

std::vector<int> spread_over_fewest(std::span<const int> capacity, int total) {
    std::vector<int> sorted(capacity.begin(), capacity.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    int parts = 0, held = 0;
    while (held < total) held += sorted[parts++];

    std::vector<int> room(capacity.size(), 0);
    if (parts == 0) return room;
    const int share = (total + parts - 1) / parts;
    // If enough parts hold an equal share, the smallest of them, else the largest of all.
    const bool equal = sorted[parts - 1] >= share;
    std::vector<int> order(capacity.size());
    std::iota(order.begin(), order.end(), 0);
    if (equal) std::erase_if(order, [&](int part) { return capacity[part] < share; });
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return equal ? capacity[a] < capacity[b] : capacity[a] > capacity[b]; });
    for (int i = 0; i < parts; ++i) room[order[i]] = capacity[order[i]];

    std::vector<int> chosen, chosen_room;
    for (std::size_t part = 0; part < room.size(); ++part) {
        if (room[part] == 0) continue;
        chosen.push_back(static_cast<int>(part));
        chosen_room.push_back(room[part]);
    }
    const std::vector<int> shares = even_shares(chosen_room, total);
    std::vector<int> result(capacity.size(), 0);
    for (std::size_t i = 0; i < chosen.size(); ++i) result[chosen[i]] = shares[i];
    return result;
}

Expected<JobPlacement> place_even_spread(const Fabric& fabric, const Job& job) {
    const FreeHosts free = sort_by_leaf(std::get<SwitchGraph>(fabric.network), job.free_hosts);
    std::vector<int> capacity;
    for (const auto& [group, leaves] : free) {
        int hosts = 0;
        for (const auto& [leaf, free_hosts] : leaves) hosts += static_cast<int>(free_hosts.size());
        capacity.push_back(hosts);
    }
    if (total_of(capacity) < job.hosts) return failure("there are too few free hosts");

    JobPlacement placement;
    const std::vector<int> shares = spread_over_fewest(capacity, job.hosts);
    std::vector<int> used_groups, used_leaves;
    auto next = shares.begin();
    for (const auto& [group, leaves] : free) {
        const int share = *next++;
        if (share == 0) continue;
        used_groups.push_back(share);
        const auto used = take_from_group(leaves, share, placement.hosts);
        used_leaves.insert(used_leaves.end(), used.begin(), used.end());
    }
    const auto groups = static_cast<int>(used_groups.size());
    placement.shape = counted(groups, "group", "groups") + " of " + share_text(used_groups) + ", " +
                      counted(static_cast<int>(used_leaves.size()), "leaf", "leaves") + " of " +
                      share_text(used_leaves);
    placement.value =
        static_cast<double>(job.hosts) / groups / *std::max_element(used_groups.begin(), used_groups.end());
    placement.reason = "the free hosts of " + std::to_string(groups) + " of " +
                       counted(static_cast<int>(capacity.size()), "group", "groups") +
                       " suffice; the value is the mean share of a group over the largest";
    return placement;
}

}  // namespace coll_topo
