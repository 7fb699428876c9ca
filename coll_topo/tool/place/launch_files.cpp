// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/place/launch_files.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace coll_topo::tool {

std::vector<HostRanks> assign_ranks(std::span<const std::string> hosts, int ranks, int ranks_per_host) {
    std::vector<HostRanks> assigned;
    int first = 0;
    for (const std::string& host : hosts) {
        const int count = std::min(ranks_per_host, ranks - first);
        assigned.push_back({host, first, count});
        first += count;
    }
    return assigned;
}

std::string hostfile_text(std::span<const HostRanks> hosts) {
    std::string text;
    for (const HostRanks& one : hosts) text += fmt::format("{} slots={}\n", one.host, one.count);
    return text;
}

std::string rankfile_text(std::span<const HostRanks> hosts) {
    std::string text;
    for (const HostRanks& one : hosts) {
        for (int i = 0; i < one.count; ++i) text += fmt::format("rank {}={} slot={}\n", one.first + i, one.host, i);
    }
    return text;
}

}  // namespace coll_topo::tool
