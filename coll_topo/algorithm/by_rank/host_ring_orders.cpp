// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/host_ring_orders.hpp"

#include "coll_topo/algorithm/by_rank/ring_orders.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"

#include <algorithm>
#include <cstddef>

namespace coll_topo {
namespace {

/// Rings that enter each host so often in all, `lanes` times or more.
std::vector<HostRing> rings_with(const RingOrders& orders, int lanes, int visits) {
    std::vector<HostRing> rings;
    int next_entry = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        const int entries = visits / lanes + (lane < visits % lanes ? 1 : 0);
        rings.push_back({orders.hosts(lane / 2 % orders.cycles()), next_entry, entries});
        if (lane % 2 == 1) std::ranges::reverse(rings.back().hosts);
        next_entry += entries;
    }
    return rings;
}

/// The messages of one step, and what ranks combine of them.
class StepCost {
public:
    StepCost(const Grid& grid, std::size_t rings, double piece, RingWork work)
        : grid_(grid), cost_(grid), rings_(static_cast<double>(rings)), piece_(piece), work_(work) {
        if (combines()) combined_.resize(grid.ranks());
    }

    void add(const HostRing& ring) {
        double ways = 0;
        for (std::size_t i = 0; i < ring.hosts.size(); ++i) {
            ways += add(ring, ring.hosts[i], ring.hosts[(i + 1) % ring.hosts.size()]);
        }
        longest_ = std::max(longest_, ways / static_cast<double>(ring.hosts.size()));
    }

    /// Of so many steps.
    double seconds(int steps, double within_hosts) {
        const RankOrderCost::Pace busiest = cost_.take();
        const double combined = combines() ? *std::ranges::max_element(combined_) : 0;
        // In simulations on 16 to 64 hosts, ranks that others of their host wait for lose as much time to that.
        constexpr double waiting = 1.05;
        const double work = (busiest.work + combined) * (combines() && serves_ ? waiting : 1);
        // A link waits while the rank behind it combines what it passes on, unless it is busy with other rings.
        const double way = std::max(longest_, busiest.transfer + reducing_ * 2 / std::max(2.0, rings_));
        return std::max(steps * way + within_hosts / rings_, steps * work + within_hosts);
    }

private:
    bool combines() const { return work_ == RingWork::combining; }

    /// Seconds of a part on its way between two hosts.
    double add(const HostRing& ring, int host, int next) {
        const int ranks = static_cast<int>(grid_.ranks_of_host(host).size());
        const double part = piece_ * ranks / rings_;
        for (int place = 0; place < ring.entries; ++place) {
            message(ring.rank_at(grid_, host, place), ring.rank_at(grid_, next, place), part);
        }
        serves_ = serves_ || ring.entries < ranks;
        for (int place = ring.entries; place < ranks; ++place) {
            message(ring.rank_at(grid_, host, ring.entry_of(place)), ring.rank_at(grid_, host, place), part);
        }
        const double reducing = combines() ? part / cost_.machine().reduce_bandwidth : 0;
        reducing_ = std::max(reducing_, reducing);
        // Those of all entries go at once, but in simulations two come to take turns.
        const double at_once = ring.entries == 2 ? 1.5 : ring.entries;
        const int from = ring.rank_at(grid_, host, 0), to = ring.rank_at(grid_, next, 0);
        return cost_.alone(from, to, at_once * part) + reducing;
    }

    void message(int from, int to, double part) {
        if (!combines()) return cost_.message(from, to, part);
        cost_.message(to, from, part);
        combined_[from] += part / cost_.machine().reduce_bandwidth;
    }

    const Grid& grid_;
    RankOrderCost cost_;
    const double rings_;
    const double piece_;
    const RingWork work_;
    std::vector<double> combined_;  // seconds, by rank
    bool serves_ = false;           // entries serve other ranks
    double reducing_ = 0;           // seconds, of a part
    double longest_ = 0;            // seconds, of a ring's mean way
};

}  // namespace

int HostRing::place_of(const Grid& grid, int rank) const {
    const auto ranks = grid.ranks_of_host(grid.host(rank));
    const int count = static_cast<int>(ranks.size());
    const int number = static_cast<int>(std::ranges::find(ranks, rank) - ranks.begin());
    return (number + count - first_entry % count) % count;
}

double ring_seconds(const Grid& grid, const std::vector<HostRing>& rings, double piece, RingWork work,
                    double within_hosts) {
    StepCost cost(grid, rings.size(), piece, work);
    for (const HostRing& ring : rings) cost.add(ring);
    return cost.seconds(grid.hosts() - 1, within_hosts);
}

std::vector<HostRing> fastest_host_rings(const Grid& grid, int lanes, RingWork work) {
    constexpr double long_piece = 1 << 20;
    const RingOrders orders(grid);
    std::vector<int> visit_counts = orders.visit_counts(lanes);
    std::erase_if(visit_counts, [&](int visits) { return visits > lanes * grid.fewest_ranks_per_host(); });
    return fastest_with_visits(
        visit_counts, [&](int visits) { return rings_with(orders, lanes, visits); },
        [&](const std::vector<HostRing>& rings) { return ring_seconds(grid, rings, long_piece, work, 0); });
}

}  // namespace coll_topo
