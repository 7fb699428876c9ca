// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/breadth_first.hpp"

#include "coll_topo/algorithm/port_shares.hpp"

#include <algorithm>
#include <map>

namespace coll_topo {

/// Offsets at one distance that the same ports lead to on a shortest way.
struct BreadthFirst::Kind {
    std::uint32_t ports = 0;
    std::vector<std::int32_t> offsets;
};

struct BreadthFirst::Round {
    std::vector<Kind> kinds;

    std::vector<UnitKind> units(int cuts) const {
        std::vector<UnitKind> units;
        for (const Kind& kind : kinds) units.push_back({kind.ports, static_cast<int>(kind.offsets.size()) * cuts});
        return units;
    }
};

namespace {

std::vector<double> bandwidths(const std::vector<BreadthFirst::Port>& ports) {
    std::vector<double> all;
    for (const BreadthFirst::Port& port : ports) all.push_back(port.bandwidth);
    return all;
}

}  // namespace

std::string BreadthFirst::refusal(const Grid& grid) {
    constexpr std::size_t most_axes = 6;  // sets of ports are looked through one by one
    if (grid.switched()) return "it is for tori, and switches join these hosts";
    if (grid.axes().size() > most_axes) return "it is for tori of up to 6 dimensions";
    for (const Axis& axis : grid.axes()) {
        if (axis.wrapped || axis.size == 2) continue;
        return "it is for full tori, and these hosts form no ring in dimension " + axis.name;
    }
    return {};
}

BreadthFirst::BreadthFirst(const Grid& grid, int most_cuts) : grid_(&grid) {
    for (int axis = 0; axis < static_cast<int>(grid.axes().size()); ++axis) {
        const Axis& ring = grid.axes()[axis];
        // An axis counts both cables of a ring of two.
        const double bandwidth = ring.wrapped && ring.size == 2 ? ring.bandwidth / 2 : ring.bandwidth;
        ports_.push_back({axis, 1, bandwidth});
        if (ring.size > 2) ports_.push_back({axis, -1, bandwidth});
    }
    const std::vector<Round> rounds = sort_by_round();
    rounds_ = static_cast<int>(rounds.size());
    choose_cuts(rounds, most_cuts);
    for (const Round& round : rounds) add_turns(round);
}

std::vector<BreadthFirst::Round> BreadthFirst::sort_by_round() const {
    std::map<std::pair<int, std::uint32_t>, std::vector<std::int32_t>> found;
    for (std::int32_t offset = 1; offset < grid_->places(); ++offset) {
        int distance = 0;
        std::uint32_t ports = 0;
        for (std::size_t p = 0; p < ports_.size(); ++p) {
            const int size = grid_->axes()[ports_[p].axis].size;
            const int plain = grid_->coordinate(offset, ports_[p].axis);
            const int ahead = ports_[p].way > 0 ? plain : (size - plain) % size;
            if (ahead == 0 || 2 * ahead > size) continue;
            ports |= 1u << p;
            // Half-way round both ways are shortest, and count once.
            if (2 * ahead < size || ports_[p].way > 0) distance += ahead;
        }
        found[{distance, ports}].push_back(offset);
    }
    std::vector<Round> rounds;
    for (auto& [key, offsets] : found) {
        if (static_cast<int>(rounds.size()) < key.first) rounds.emplace_back();
        rounds.back().kinds.push_back({key.second, std::move(offsets)});
    }
    return rounds;
}

void BreadthFirst::choose_cuts(const std::vector<Round>& rounds, int most_cuts) {
    constexpr double even_enough = 1.0005;
    const std::vector<double> bandwidth = bandwidths(ports_);
    double least = 0, best = 0;
    for (const Round& round : rounds) least += least_time(round.units(1), bandwidth);
    for (int cuts = 1; cuts <= most_cuts; ++cuts) {
        double time = 0;
        for (const Round& round : rounds) time += share_out(round.units(cuts), bandwidth).time / cuts;
        if (cuts > 1 && time >= best) continue;
        best = time;
        cuts_ = cuts;
        if (best <= even_enough * least) return;
    }
}

void BreadthFirst::add_turns(const Round& round) {
    const auto shares = share_out(round.units(cuts_), bandwidths(ports_)).units;
    std::vector<std::vector<Arrival>> by_port(ports_.size());
    for (std::size_t kind = 0; kind < round.kinds.size(); ++kind) {
        int unit = 0;  // of the kind, over the ports one after the other
        for (std::size_t port = 0; port < ports_.size(); ++port) {
            for (const int end = unit + shares[kind][port]; unit < end;) {
                const int first = unit % cuts_, count = std::min(cuts_ - first, end - unit);
                by_port[port].push_back({round.kinds[kind].offsets[unit / cuts_], static_cast<std::int16_t>(port),
                                         static_cast<std::int16_t>(first), static_cast<std::int16_t>(count)});
                unit += count;
            }
        }
    }
    std::size_t turns = 0;
    for (auto& arrivals : by_port) {
        // So that those of a turn are of about the same length.
        std::ranges::stable_sort(arrivals, std::ranges::greater{}, &Arrival::count);
        turns = std::max(turns, arrivals.size());
    }
    for (std::size_t turn = 0; turn < turns; ++turn) {
        for (const auto& arrivals : by_port) {
            if (turn < arrivals.size()) arrivals_.push_back(arrivals[turn]);
        }
        turn_begin_.push_back(static_cast<std::int32_t>(arrivals_.size()));
    }
}

int BreadthFirst::beside(int place, int axis, int way) const {
    const int size = grid_->axes()[axis].size;
    return grid_->along(place, axis, (grid_->coordinate(place, axis) + way + size) % size);
}

int BreadthFirst::owner(int place, int offset) const {
    int owner = place;
    for (int axis = 0; axis < static_cast<int>(grid_->axes().size()); ++axis) {
        const int size = grid_->axes()[axis].size;
        const int coordinate = grid_->coordinate(place, axis) - grid_->coordinate(offset, axis);
        owner = grid_->along(owner, axis, (coordinate + size) % size);
    }
    return owner;
}

}  // namespace coll_topo
