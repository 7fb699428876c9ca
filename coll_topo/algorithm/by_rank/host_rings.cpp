// SPDX-License-Identifier: BSD-3-Clause
//
// Rings of hosts: allgather by several rings at once that carry what all ranks of a host have, and enter hosts at one
// or more of their ranks.
//
//     a1 a2 a3      b1 b2 b3      c1 c2 c3       within a host, each rank gives the others its piece
//     a1  =>        b1  =>        c1  => a1      => over the network, the pieces of a host in one message
//     a2  =>        b2  =>        c2  => a2      the same again for another entry
//                   b1 -> b3      c2 -> c3       -> within a host, from an entry, to those that are none
//
// The rings of multi_ring and two_way_ring pass every rank: what a rank moves within its host comes between two
// messages of the network, which waits for it, and there is a message for each rank. Here an entry only passes on,
// other ranks follow, and a message carries the pieces of all ranks of a host, in as many times fewer messages.
//
// Each lane is a ring for one part of the pieces, every second one that before it backwards, along cycles of a torus
// that share no cable or from leaf to leaf. Entries are as many as make links and memory busy alike for long vectors;
// lanes take turns with the ranks that are.
//
// Cost for H hosts of R ranks, K lanes with E entries, m bytes: R-1 messages of m/p within hosts, then (H-1) times the
// longest of
//     o + latency + m/(H·K·bandwidth): a part on its way,
//     what the busiest link carries: E·m/(H·K) for each ring on it,
//     what a rank starts, and moves of the (R-E)·m/(H·K) of each ring that its host does not get from the network.
//
// Source: ours, from rings as in multi_ring.cpp. Needs: several ranks on a host, numbered one after the other.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// The ring of one lane.
struct HostRing {
    std::vector<std::int32_t> hosts;  ///< in the order in which parts go from one to the next
    int first_entry;                  ///< the number of a rank on its host, modulo how many there are
    int entries;                      ///< this one and those that follow it

    /// The rank at a place of the host: first the entries, then those that follow them.
    int rank_at(const Grid& grid, int host, int place) const {
        const auto ranks = grid.ranks_of_host(host);
        return ranks[(first_entry + place) % ranks.size()];
    }
    /// The entry that one of these others follows.
    int entry_of(int place) const { return place % entries; }
};

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

/// Seconds from one part of a lane to the next, where a rank has a piece of so many bytes.
double step_seconds(const Grid& grid, const std::vector<HostRing>& rings, double piece) {
    RankOrderCost cost(grid);
    double longest = 0;
    for (const HostRing& ring : rings) {
        double ways = 0;
        for (std::size_t i = 0; i < ring.hosts.size(); ++i) {
            const int host = ring.hosts[i], next = ring.hosts[(i + 1) % ring.hosts.size()];
            const int ranks = static_cast<int>(grid.ranks_of_host(host).size());
            const double part = piece * ranks / static_cast<double>(rings.size());
            for (int place = 0; place < ring.entries; ++place) {
                cost.message(ring.rank_at(grid, host, place), ring.rank_at(grid, next, place), part);
            }
            for (int place = ring.entries; place < ranks; ++place) {
                const int entry = ring.entry_of(place);
                cost.message(ring.rank_at(grid, host, entry), ring.rank_at(grid, host, place), part);
            }
            // Those of all entries go at once.
            ways += cost.alone(ring.rank_at(grid, host, 0), ring.rank_at(grid, next, 0), ring.entries * part);
        }
        longest = std::max(longest, ways / static_cast<double>(ring.hosts.size()));
    }
    const RankOrderCost::Pace busiest = cost.take();
    return std::max({longest, busiest.transfer, busiest.work});
}

/// Those with which a long vector takes least time.
std::vector<HostRing> fastest_host_rings(const Grid& grid, int lanes) {
    constexpr double long_piece = 1 << 20;
    const RingOrders orders(grid);
    std::vector<HostRing> fastest;
    double least = 0;
    for (const int visits : orders.visit_counts(lanes)) {
        if (visits > lanes * grid.fewest_ranks_per_host()) break;
        std::vector<HostRing> rings = rings_with(orders, lanes, visits);
        const double seconds = step_seconds(grid, rings, long_piece);
        if (!fastest.empty() && seconds >= least) continue;
        least = seconds;
        fastest = std::move(rings);
    }
    return fastest;
}

/// One lane of one rank. Of the blocks of a host, as many for each of its ranks as there are lanes, a lane has as many
/// as there are ranks: its part, which is one range of blocks.
class Lane {
public:
    Lane(ProgramBuilder& builder, const Grid& grid, const std::vector<HostRing>& rings, int lane, int rank)
        : builder_(builder),
          grid_(grid),
          ring_(rings[lane]),
          lane_(lane),
          lanes_(static_cast<int>(rings.size())),
          rank_(rank),
          host_(grid.host(rank)),
          place_on_ring_(static_cast<int>(std::ranges::find(ring_.hosts, host_) - ring_.hosts.begin())) {}

    void write() {
        builder_.lane();
        const Blocks own = own_blocks(rank_);
        builder_.copy({Buffer::input, own.first, own.count}, Buffer::scratch, own.first);
        builder_.next_step();
        exchange_within_host();
        const int ranks = static_cast<int>(ranks_of_host().size()), number = rank_ - ranks_of_host().front();
        const int place = (number + ranks - ring_.first_entry % ranks) % ranks;
        if (place < ring_.entries)
            pass_on(place);
        else
            follow(ring_.rank_at(grid_, host_, ring_.entry_of(place)));
        for (const std::int32_t host : ring_.hosts) {
            const Blocks part = part_of(host);
            builder_.copy(part, Buffer::output, part.first);
        }
        builder_.next_step();
    }

private:
    void exchange_within_host() {
        const auto ranks = ranks_of_host();
        const int count = static_cast<int>(ranks.size()), number = rank_ - ranks.front();
        for (int distance = 1; distance < count; ++distance) {
            const int from = ranks[(number + count - distance) % count];
            builder_.receive(from, own_blocks(from));
            builder_.send(ranks[(number + distance) % count], own_blocks(rank_));
        }
        builder_.next_step();
    }

    /// Takes in the parts of all other hosts from the one before, and gives what came last to the next host and to
    /// those that follow this entry.
    void pass_on(int entry) {
        const int hosts = static_cast<int>(ring_.hosts.size()), ranks = static_cast<int>(ranks_of_host().size());
        for (int step = 0; step < hosts; ++step) {
            if (step + 1 < hosts) {
                builder_.receive(ring_.rank_at(grid_, before(1), entry), part_of(before(step + 1)));
                builder_.send(ring_.rank_at(grid_, before(hosts - 1), entry), part_of(before(step)));
            }
            for (int place = ring_.entries + entry; step > 0 && place < ranks; place += ring_.entries) {
                builder_.send(ring_.rank_at(grid_, host_, place), part_of(before(step)));
            }
            builder_.next_step();
        }
    }

    void follow(int entry) {
        for (int step = 1; step < static_cast<int>(ring_.hosts.size()); ++step) {
            builder_.receive(entry, part_of(before(step)));
            builder_.next_step();
        }
    }

    /// The host so many places before, fewer than there are.
    int before(int places) const {
        const int hosts = static_cast<int>(ring_.hosts.size());
        return ring_.hosts[(place_on_ring_ + hosts - places) % hosts];
    }

    std::span<const std::int32_t> ranks_of_host() const { return grid_.ranks_of_host(host_); }

    Blocks part_of(int host) const {
        const auto ranks = grid_.ranks_of_host(host);
        const int count = static_cast<int>(ranks.size());
        return {Buffer::scratch, ranks.front() * lanes_ + lane_ * count, count};
    }

    /// What of its host's part is in a rank's own piece.
    Blocks own_blocks(int rank) const {
        const Blocks part = part_of(host_);
        const int begin = std::max(part.first, rank * lanes_);
        const int end = std::min(part.first + part.count, (rank + 1) * lanes_);
        return {Buffer::scratch, begin, std::max(0, end - begin)};
    }

    ProgramBuilder& builder_;
    const Grid& grid_;
    const HostRing& ring_;
    const int lane_;
    const int lanes_;
    const int rank_;
    const int host_;
    const int place_on_ring_;
};

Program build_on(const Grid& grid, const std::vector<HostRing>& rings, int rank) {
    const int lanes = static_cast<int>(rings.size()), blocks = grid.ranks() * lanes;
    ProgramBuilder builder(blocks, blocks);
    for (int lane = 0; lane < lanes; ++lane) Lane(builder, grid, rings, lane, rank).write();
    return builder.finish(pieces_in_rank_order(blocks));
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return build_on(grid, fastest_host_rings(grid, problem.lanes), rank);
}

std::vector<Program> build_all(const Grid& grid, const Problem& problem) {
    const std::vector<HostRing> rings = fastest_host_rings(grid, problem.lanes);
    return programs_of_all_ranks(grid, [&](int rank) { return build_on(grid, rings, rank); });
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const double piece = bytes / grid.ranks();
    const std::vector<HostRing> rings = fastest_host_rings(grid, problem.lanes);
    return piece / costs.copy_bandwidth + within_host_seconds(costs, grid.most_ranks_per_host() - 1, piece) +
           (grid.hosts() - 1) * step_seconds(grid, rings, piece);
}

/// Of both directions of all cycles, once or several times, up to eight.
std::vector<int> lane_counts(const Grid& grid) {
    constexpr int most = 8;
    const int directions = 2 * RingOrders(grid).cycles();
    std::vector<int> counts;
    for (int lanes = directions; lanes <= most; lanes *= 2) counts.push_back(lanes);
    return counts;
}

std::string refusal(const Grid& grid, const Problem&) {
    // With more, the steps take longer than anything else.
    constexpr int most_hosts = 1 << 13;
    if (grid.hosts() > most_hosts) return "made for at most " + std::to_string(most_hosts) + " hosts";
    if (grid.most_ranks_per_host() == 1) return "one rank on each host";
    for (int host = 0; host < grid.hosts(); ++host) {
        const auto ranks = grid.ranks_of_host(host);
        if (ranks.back() - ranks.front() >= static_cast<int>(ranks.size())) {
            return "ranks of a host are not numbered one after the other";
        }
    }
    return {};
}

}  // namespace

extern constinit const Algorithm host_rings{
    .name = "host_rings",
    .summary = "rings of hosts that carry what all ranks of a host have; for long vectors on hosts of several ranks",
    .collectives = only(Collective::allgather),
    .uses_lanes = true,
    .spreads = true,
    .lane_counts = lane_counts,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
    .build_all = build_all,
};

}  // namespace coll_topo::algorithms
