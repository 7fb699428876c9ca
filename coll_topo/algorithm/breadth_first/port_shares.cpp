// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/breadth_first/port_shares.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

namespace coll_topo {
namespace {

/// A flow from kinds to ports of limited capacity, grown along shortest augmenting paths.
class Flow {
public:
    Flow(const std::vector<UnitKind>& kinds, std::vector<int> room)
        : kinds_(kinds), room_(std::move(room)), units_(kinds.size(), std::vector<int>(room_.size(), 0)) {}

    bool place_all() {
        for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
            for (int left = kinds_[kind].units; left > 0;) {
                const int placed = place(kind, left);
                if (placed == 0) return false;
                left -= placed;
            }
        }
        return true;
    }

    std::vector<std::vector<int>> units() && { return std::move(units_); }

private:
    /// The kind that would bring units to a port, and the port it would take them from; -1: units not placed yet.
    struct Step {
        int kind = -1;
        int from = -1;
    };

    bool may_use(std::size_t kind, std::size_t port) const { return kinds_[kind].ports >> port & 1; }

    /// Places up to `most` units of a kind and says how many.
    int place(std::size_t kind, int most) {
        std::vector<Step> steps(room_.size());
        std::vector<int> reached;
        const auto reach = [&](std::size_t by, int from) {
            for (std::size_t port = 0; port < room_.size(); ++port) {
                if (!may_use(by, port) || steps[port].kind >= 0) continue;
                steps[port] = {static_cast<int>(by), from};
                reached.push_back(static_cast<int>(port));
            }
        };
        reach(kind, -1);
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const int port = reached[i];
            if (room_[port] > 0) return move_up(steps, port, most);
            for (std::size_t other = 0; other < kinds_.size(); ++other) {
                if (units_[other][port] > 0) reach(other, port);
            }
        }
        return 0;
    }

    int move_up(const std::vector<Step>& steps, int end, int most) {
        int count = std::min(most, room_[end]);
        for (int port = end; steps[port].from >= 0; port = steps[port].from) {
            count = std::min(count, units_[steps[port].kind][steps[port].from]);
        }
        room_[end] -= count;
        for (int port = end; port >= 0; port = steps[port].from) {
            const Step& step = steps[port];
            units_[step.kind][port] += count;
            if (step.from >= 0) units_[step.kind][step.from] -= count;
        }
        return count;
    }

    const std::vector<UnitKind>& kinds_;
    std::vector<int> room_;                // by port
    std::vector<std::vector<int>> units_;  // by kind and port
};

/// How many units each port can carry in that time.
std::vector<int> limits(double time, const std::vector<double>& bandwidths) {
    constexpr double rounding = 1e-9;
    std::vector<int> room;
    for (const double bandwidth : bandwidths) room.push_back(static_cast<int>(time * bandwidth * (1 + rounding)));
    return room;
}

/// The time in which some port can carry one unit more.
double next_time(const std::vector<int>& room, const std::vector<double>& bandwidths) {
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t port = 0; port < room.size(); ++port) next = std::min(next, (room[port] + 1) / bandwidths[port]);
    return next;
}

}  // namespace

double least_time(const std::vector<UnitKind>& kinds, const std::vector<double>& bandwidths) {
    // Hall's condition: whatever may only use the ports of a set must fit there.
    std::vector<double> confined(std::size_t{1} << bandwidths.size(), 0);
    for (const UnitKind& kind : kinds) confined[kind.ports] += kind.units;
    for (std::size_t bit = 1; bit < confined.size(); bit *= 2) {
        for (std::size_t set = 0; set < confined.size(); ++set) {
            if (set & bit) confined[set] += confined[set ^ bit];
        }
    }
    double longest = 0;
    for (std::size_t set = 1; set < confined.size(); ++set) {
        double bandwidth = 0;
        for (std::size_t rest = set; rest != 0; rest &= rest - 1) bandwidth += bandwidths[std::countr_zero(rest)];
        longest = std::max(longest, confined[set] / bandwidth);
    }
    return longest;
}

PortShares share_out(const std::vector<UnitKind>& kinds, const std::vector<double>& bandwidths) {
    double time = least_time(kinds, bandwidths);
    for (;;) {
        const std::vector<int> room = limits(time, bandwidths);
        Flow flow(kinds, room);
        if (flow.place_all()) return {std::move(flow).units(), time};
        time = next_time(room, bandwidths);
    }
}

}  // namespace coll_topo
