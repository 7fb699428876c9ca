// SPDX-License-Identifier: BSD-3-Clause
//
// A ring moves as much as its busiest cable does. Pairs of edges of a cycle are crossed, while that lowers the sum over
// all cables of the fourth power of what crosses them: so that a cable crossed twice is worse than some longer ways.
// While it still shares some, the best cycle so far is shaken: two neighbouring parts of it change places.
//
//     a -> b ... c -> d    to    a -> c ... b -> d, with what is between b and c backwards
//
// Source: 2-opt exchanges with double-bridge kicks, as for the travelling salesman: O. Martin, S. Otto, E. Felten,
// "Large-step Markov chains for the traveling salesman problem", Complex Systems 5, 1991.

#include "coll_topo/algorithm/by_rank/packed_cycle.hpp"

#include "coll_topo/algorithm/cost/message_ways.hpp"
#include "coll_topo/algorithm/tree/disjoint_cycles.hpp"
#include "coll_topo/algorithm/tree/grid_cycle.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <random>
#include <span>
#include <utility>

namespace coll_topo {
namespace {

/// The links between all pairs of hosts, there and back.
class WaysOfPairs {
public:
    explicit WaysOfPairs(const Grid& grid) : hosts_(grid.hosts()) {
        MessageWays ways(grid);
        begin_.push_back(0);
        for (int from = 0; from < hosts_; ++from) {
            for (int to = 0; to < hosts_; ++to) {
                if (from < to) {
                    ways.append(from, to, links_);
                    ways.append(to, from, links_);
                }
                begin_.push_back(links_.size());
            }
        }
        const double fastest = ways.fastest_link();
        for (int link = 0; link < ways.links(); ++link) {
            const double seconds = ways.seconds_per_byte(link);
            slowness_.push_back(seconds > 0 ? seconds * fastest : 1);
        }
        // The cables of hosts are as busy in all cycles.
        if (grid.switched()) std::fill_n(slowness_.begin(), 2 * hosts_, 0);
    }

    int hosts() const { return hosts_; }

    std::span<const int> of(int one, int other) const {
        const std::size_t pair = static_cast<std::size_t>(std::min(one, other)) * hosts_ + std::max(one, other);
        return {links_.data() + begin_[pair], links_.data() + begin_[pair + 1]};
    }

    /// By link: the seconds that a byte takes, over those of the fastest link; 0: it does not count.
    const std::vector<double>& slowness() const { return slowness_; }

private:
    int hosts_;
    std::vector<std::size_t> begin_;  // by pair, and the end of the last
    std::vector<int> links_;
    std::vector<double> slowness_;
};

class CyclePacking {
public:
    using Cycle = std::vector<std::int32_t>;

    CyclePacking(const WaysOfPairs& ways, Cycle cycle)
        : ways_(ways), crossed_(ways.slowness().size(), 0), cycle_(std::move(cycle)) {
        count(cycle_, 1);
    }

    const Cycle& cycle() const { return cycle_; }

    bool shares_cables() const {
        for (std::size_t link = 0; link < crossed_.size(); ++link) {
            if (crossed_[link] > 1 && ways_.slowness()[link] > 0) return true;
        }
        return false;
    }

    void improve() {
        while (cross_edges()) {
        }
    }

    /// Back to what was before if that does not make it better.
    void shake(std::minstd_rand& lot) {
        const Cycle before = cycle_;
        const double burden = burden_of_all();
        std::array<std::size_t, 3> cuts;
        for (std::size_t& cut : cuts) cut = lot() % cycle_.size();
        std::ranges::sort(cuts);
        count(cycle_, -1);
        std::rotate(cycle_.begin() + cuts[0], cycle_.begin() + cuts[1], cycle_.begin() + cuts[2]);
        count(cycle_, 1);
        improve();
        if (burden_of_all() < burden) return;
        count(cycle_, -1);
        cycle_ = before;
        count(cycle_, 1);
    }

private:
    using Edge = std::pair<std::int32_t, std::int32_t>;

    int hosts() const { return ways_.hosts(); }
    std::int32_t at(int position) const { return cycle_[(position + hosts()) % hosts()]; }

    double burden(int link) const {
        const double load = crossed_[link] * ways_.slowness()[link];
        return load * load * load * load;
    }

    double burden_of_all() const {
        double sum = 0;
        for (int link = 0; link < static_cast<int>(crossed_.size()); ++link) sum += burden(link);
        return sum;
    }

    void count(const Cycle& cycle, int times) {
        for (std::size_t i = 0; i < cycle.size(); ++i) count(Edge{cycle[i], cycle[(i + 1) % cycle.size()]}, times);
    }
    /// What that changes in the sum.
    double count(Edge edge, int times) {
        double change = 0;
        for (const int link : ways_.of(edge.first, edge.second)) {
            change -= burden(link);
            crossed_[link] += times;
            change += burden(link);
        }
        return change;
    }

    /// Puts some edges in the place of others if that lowers the sum.
    bool replace(std::initializer_list<Edge> old_ones, std::initializer_list<Edge> new_ones) {
        constexpr double least_gain = 1e-6;  // more than rounding
        double change = 0;
        for (const Edge& edge : old_ones) change += count(edge, -1);
        for (const Edge& edge : new_ones) change += count(edge, 1);
        if (change < -least_gain) return true;
        for (const Edge& edge : old_ones) count(edge, 1);
        for (const Edge& edge : new_ones) count(edge, -1);
        return false;
    }

    bool cross_edges() {
        bool changed = false;
        for (int first = 0; first + 1 < hosts(); ++first) {
            for (int last = first + 1; last < hosts() && last < first + hosts() - 2; ++last) {
                const std::int32_t before = at(first - 1), after = at(last + 1);
                if (!replace({{before, at(first)}, {at(last), after}}, {{before, at(last)}, {at(first), after}}))
                    continue;
                std::reverse(cycle_.begin() + first, cycle_.begin() + last + 1);
                changed = true;
            }
        }
        return changed;
    }

    const WaysOfPairs& ways_;
    std::vector<std::int32_t> crossed_;  // by link: how often
    Cycle cycle_;
};

}  // namespace

bool lacks_cycle(const Grid& grid) {
    if (grid.only_cables_tell()) return true;
    return !grid.switched() && !GridCycle(grid).closed() && disjoint_cycle_count(grid) == 0;
}

bool cycle_can_be_packed(const Grid& grid) {
    constexpr int fewest_hosts = 4, most_hosts = 256;
    return grid.hosts() >= fewest_hosts && grid.hosts() <= most_hosts && lacks_cycle(grid);
}

std::vector<std::int32_t> packed_cycle(const Grid& grid, std::vector<std::int32_t> cycle) {
    const WaysOfPairs ways(grid);
    CyclePacking packing(ways, std::move(cycle));
    packing.improve();
    // The more hosts the longer that takes, and the more ways there are to go.
    constexpr int shaken_hosts = 1024, most_often = 32;
    std::minstd_rand lot;  // the same on all machines
    const int times = std::min(most_often, shaken_hosts / grid.hosts());
    for (int i = 0; i < times && packing.shares_cables(); ++i) packing.shake(lot);
    return packing.cycle();
}

}  // namespace coll_topo
