// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/alltoall/served_ranks.hpp"

namespace coll_topo {

ServedRanks::ServedRanks(const Grid& grid, int aggregators)
    : aggregators_(aggregators), of_part_(aggregators, 0), index_of_part_(grid.ranks()) {
    std::vector<std::int32_t> place(grid.ranks()), place_and_part(grid.ranks()), order;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const Server server = server_.emplace_back(server_of(grid, rank, aggregators));
        place[rank] = server.host;
        place_and_part[rank] = server.host * aggregators + server.part;
        index_of_part_[rank] = of_part_[server.part]++;
    }
    // Extra hosts come last, and so do their ranks in the groups of their proxies.
    for (int host = 0; host < grid.hosts(); ++host) {
        for (const std::int32_t rank : grid.ranks_of_host(host)) order.push_back(rank);
    }
    at_ = grouped(grid.places(), order, place);
    by_ = grouped(grid.places() * aggregators, order, place_and_part);
}

ServedRanks::Groups ServedRanks::grouped(int groups, const std::vector<std::int32_t>& order,
                                         const std::vector<std::int32_t>& group) {
    Groups result{std::vector<std::int32_t>(groups + 1, 0), std::vector<std::int32_t>(order.size()),
                  std::vector<std::int32_t>(order.size())};
    for (const std::int32_t rank : order) result.index[rank] = result.begin[group[rank] + 1]++;
    for (int number = 0; number < groups; ++number) result.begin[number + 1] += result.begin[number];
    for (const std::int32_t rank : order) result.ranks[result.begin[group[rank]] + result.index[rank]] = rank;
    return result;
}

}  // namespace coll_topo
