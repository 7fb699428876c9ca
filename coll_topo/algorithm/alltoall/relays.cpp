// SPDX-License-Identifier: BSD-3-Clause
//
// Which pieces of an alltoall should be passed on by another host.
//
//     by routes    1 -> 5, 1 -> 9, 2 -> 5, 2 -> 9   through spine A       1 -> 6, 2 -> 6           through spine B
//     instead      1 -> 5, 2 -> 5, 2 -> 9           through spine A       1 -> 6, 2 -> 6, 1 -> 6   through spine B
//                  and 6 -> 9
//
// At first all are direct. Then, again and again, some of those between two hosts that cross the busiest cable go by
// the host for which the busiest cable of both ways is least loaded: of the first two hosts for which that is no more
// than what is aimed at, or, if there are none, of those for which it is least, as long as it is less than what they
// leave.

#include "coll_topo/algorithm/alltoall/relays.hpp"

#include "coll_topo/algorithm/cost/leaf_load.hpp"
#include "coll_topo/algorithm/cost/switch_ways.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace coll_topo {
namespace {

/// So many pieces from one host to another by a third.
struct Detour {
    int from, by, to;
    int pieces;
};

/// Seconds for which pieces of a byte keep each cable busy.
class CableLoads {
public:
    explicit CableLoads(const Grid& grid)
        : hosts_(grid.hosts()), direct_(static_cast<std::size_t>(hosts_) * hosts_, 0) {
        SwitchWays ways(grid);
        ways_begin_.push_back(0);
        for (int pair = 0; pair < hosts_ * hosts_; ++pair) {
            const int from = pair / hosts_, to = pair % hosts_;
            if (from != to) {
                ways.append(from, to, links_);
                direct_[pair] = static_cast<int>(grid.ranks_of_host(from).size() * grid.ranks_of_host(to).size());
            }
            ways_begin_.push_back(links_.size());
        }
        pairs_.resize(ways.links());
        seconds_.resize(ways.links(), 0);
        for (int link = 0; link < ways.links(); ++link) seconds_per_byte_.push_back(ways.seconds_per_byte(link));
        for (int pair = 0; pair < hosts_ * hosts_; ++pair) {
            for (const int link : way(pair)) pairs_[link].push_back(pair);
            add(pair, direct_[pair]);
        }
    }

    double most() const { return *std::ranges::max_element(seconds_); }

    /// Takes pieces off the busiest cable, onto ways whose cables then carry no more than `enough`, or as little as
    /// there are; nothing if it carries no more than that, or all others would carry as much as it does.
    std::optional<Detour> relieve(double enough) {
        const auto busiest = std::ranges::max_element(seconds_) - seconds_.begin();
        std::optional<Detour> best;
        double least = seconds_[busiest];
        if (least <= enough) return best;
        for (const int pair : pairs_[busiest]) {
            const int from = pair / hosts_, to = pair % hosts_;
            const int pieces = std::min(direct_[pair], std::max(1, direct_[pair] / parts()));
            for (int turn = 1; pieces > 0 && turn < hosts_; ++turn) {
                // Not the same ones for all.
                const int by = (from + to + turn) % hosts_;
                if (by == from || by == to) continue;
                const double loaded =
                    std::max(busiest_with(pair_of(from, by), pieces), busiest_with(pair_of(by, to), pieces));
                if (loaded >= least) continue;
                least = loaded;
                best = {from, by, to, pieces};
            }
            if (least <= enough) break;
        }
        if (best) take(*best);
        return best;
    }

private:
    /// How finely the pieces between two hosts are dealt out; of many hosts, as few as there are, which takes less
    /// time.
    int parts() const { return hosts_ <= 32 ? 4 : 1; }

    int pair_of(int from, int to) const { return from * hosts_ + to; }

    std::span<const int> way(int pair) const {
        return {links_.data() + ways_begin_[pair], links_.data() + ways_begin_[pair + 1]};
    }

    double busiest_with(int pair, int pieces) const {
        double longest = 0;
        for (const int link : way(pair)) {
            longest = std::max(longest, seconds_[link] + pieces * seconds_per_byte_[link]);
        }
        return longest;
    }

    void add(int pair, int pieces) {
        for (const int link : way(pair)) seconds_[link] += pieces * seconds_per_byte_[link];
    }

    void take(const Detour& detour) {
        const int pair = pair_of(detour.from, detour.to);
        direct_[pair] -= detour.pieces;
        add(pair, -detour.pieces);
        add(pair_of(detour.from, detour.by), detour.pieces);
        add(pair_of(detour.by, detour.to), detour.pieces);
    }

    int hosts_;
    std::vector<int> direct_;  // pieces that take their own way, by pair of hosts
    std::vector<int> links_;   // of all ways
    std::vector<std::size_t> ways_begin_;
    std::vector<std::vector<int>> pairs_;  // by link, those whose ways take it
    std::vector<double> seconds_per_byte_;
    std::vector<double> seconds_;
};

}  // namespace

Relays find_relays(const Grid& grid) {
    const double enough = nearly_even * LeafLoad(grid).all_at_once_evenly(1);
    CableLoads loads(grid);
    std::map<std::pair<int, int>, int> relayed_between, rounds;  // by hosts, by ranks
    std::vector<std::size_t> passed_on(grid.hosts(), 0);
    std::vector<RelayedPiece> relayed;
    while (const auto detour = loads.relieve(enough)) {
        const auto from = grid.ranks_of_host(detour->from), by = grid.ranks_of_host(detour->by),
                   to = grid.ranks_of_host(detour->to);
        int& number = relayed_between[{detour->from, detour->to}];
        for (const int end = number + detour->pieces; number < end; ++number) {
            // All ranks of a host in turn, each time round to others.
            const auto turn = static_cast<std::size_t>(number);
            const std::int32_t sender = from[turn % from.size()];
            const std::int32_t relay = by[passed_on[detour->by]++ % by.size()];
            const std::int32_t receiver = to[(turn % from.size() + turn / from.size()) % to.size()];
            int &first_hop = rounds[{sender, relay}], &second_hop = rounds[{relay, receiver}];
            const int round = std::max(first_hop, second_hop);
            first_hop = second_hop = round + 1;
            relayed.push_back({sender, relay, receiver, round});
        }
    }
    std::ranges::stable_sort(relayed, {}, &RelayedPiece::round);
    return {std::move(relayed), loads.most()};
}

}  // namespace coll_topo
