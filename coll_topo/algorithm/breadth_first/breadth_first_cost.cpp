// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/breadth_first/breadth_first_cost.hpp"

#include "coll_topo/algorithm/breadth_first/breadth_first_lane.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"

#include <algorithm>
#include <numeric>

namespace coll_topo::breadth_first {
namespace {

/// Whether all hosts do the same.
bool fill_torus(const Grid& grid) {
    const Torus& part = grid.cells()->part();
    return grid.hosts() == part.cells() &&
           std::ranges::all_of(part.dimensions(), [](const auto& d) { return d.wrapped || d.size == 1; });
}

/// All, if their tables take no more than a few milliseconds; else the busiest one and some others.
std::vector<int> typical_hosts(const Grid& grid, const BreadthFirst& spread) {
    constexpr int most_entries = 1 << 15;  // of all tables
    const int hosts = grid.hosts(), count = fill_torus(grid) ? 1 : std::clamp(most_entries / hosts, 1, hosts);
    std::vector<int> typical;
    for (int i = 0; i < count; ++i) typical.push_back(static_cast<int>(std::int64_t{i} * hosts / count));
    if (count < hosts) typical[0] = spread.busiest_host();
    return typical;
}

/// The rounds of typical hosts. If these are all hosts, each gives over a port what the host there takes; else, as much
/// as it takes itself.
class Rounds {
public:
    Rounds(const Grid& grid, const BreadthFirst& spread) : spread_(spread), hosts_(typical_hosts(grid, spread)) {
        for (const int host : hosts_) tables_.push_back(spread.table(host));
    }

    /// Seconds of all rounds of reduce-scatter, which combines, or allgather.
    double seconds(const Grid& grid, const Problem& problem, double cut_bytes, bool combines,
                   RoundSeconds round_seconds) const {
        std::size_t count = 0;
        for (const BreadthFirst::Table& table : tables_) count = std::max<std::size_t>(count, table.rounds());
        std::vector<double> slowest(count, 0);
        for (std::size_t host = 0; host < hosts_.size(); ++host) {
            for (std::size_t round = 0; round < count; ++round) {
                const HostRound work = round_of(host, static_cast<int>(round), combines);
                slowest[round] = std::max(slowest[round], round_seconds(grid, problem, work, cut_bytes));
            }
        }
        return std::accumulate(slowest.begin(), slowest.end(), 0.0);
    }

private:
    bool all() const { return static_cast<int>(hosts_.size()) == spread_.links().hosts(); }

    static std::span<const BreadthFirst::Arrival> taken(const BreadthFirst::Table& table, int round, int port) {
        if (round >= table.rounds()) return {};
        return table.over(round, port);
    }

    /// Of host number `number` of hosts_.
    HostRound round_of(std::size_t number, int round, bool combines) const {
        const int host = hosts_[number];
        HostRound work{{}, combines};
        for (const HostLink& link : spread_.links().of(host)) {
            const auto takes = taken(tables_[number], round, static_cast<int>(work.ports.size()));
            const auto gives =
                all() ? taken(tables_[link.host], round, spread_.links().number(link.host, host)) : takes;
            work.ports.push_back({&link, combines ? takes : gives, combines ? gives : takes});
        }
        return work;
    }

    const BreadthFirst& spread_;
    std::vector<int> hosts_;
    std::vector<BreadthFirst::Table> tables_;  // of these
};

/// Whether the ranks of each host follow one another: then pieces lie in the order of ranks (breadth_first::build), and
/// are sent and received where they belong (gathers_in_output(), UntouchedOperands).
bool by_host(const Grid& grid) {
    for (int host = 0; host < grid.hosts(); ++host) {
        const auto ranks = grid.ranks_of_host(host);
        if (ranks.back() - ranks.front() + 1 != static_cast<int>(ranks.size())) return false;
    }
    return true;
}

}  // namespace

int cuts(std::span<const BreadthFirst::Arrival> shards) {
    return std::accumulate(shards.begin(), shards.end(), 0,
                           [](int sum, const BreadthFirst::Arrival& shard) { return sum + shard.count; });
}

double seconds(const Grid& grid, const Problem& problem, double bytes, RoundSeconds round_seconds) {
    const MachineCosts& costs = grid.costs_together();
    const BreadthFirst spread(grid, most_cuts(grid, problem));
    const Rounds rounds(grid, spread);
    const double part = bytes / problem.aggregators, cut_bytes = part / grid.hosts() / spread.cuts();
    const int others = grid.most_ranks_per_host() - 1;
    const auto half = [&](bool combines) {
        const double folding = combines ? others * part / costs.reduce_bandwidth : 0;
        return rounds.seconds(grid, problem, cut_bytes, combines, round_seconds) +
               (within_host_seconds(costs, others, part) + folding);
    };
    double seconds = 0;
    if (combines(problem.collective)) seconds += half(true);
    if (has_allgather(problem.collective)) seconds += half(false);
    if (problem.collective == Collective::allreduce) return seconds;
    const bool in_place = problem.aggregators == 1 && by_host(grid);
    // Where a shard is received in part and sent on as a whole, its operands must be copied.
    const double partly = combines(problem.collective) ? 0.25 : 0;
    // Ranks that wait for the network copy their own piece meanwhile.
    const bool late = in_place && problem.collective == Collective::allgather && others == 0;
    const double own = late ? 0 : 1.0 / grid.ranks();
    return seconds + ((in_place ? partly : 1) + own) * bytes / costs.copy_bandwidth;
}

}  // namespace coll_topo::breadth_first
