// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/rank_order_cost.hpp"

#include "coll_topo/algorithm/cost.hpp"
#include "coll_topo/base/mixed_radix.hpp"

#include <algorithm>
#include <cmath>

namespace coll_topo {

RankOrderCost::RankOrderCost(const Grid& grid) : grid_(grid), ranks_(grid.ranks()) {
    int stride = 1;
    for (const Axis& axis : grid.axes()) {
        const std::vector<double> idle(grid.places(), 0);
        // Both cables of a ring of two are in the bandwidth of its axis.
        axes_.push_back({axis.size, stride, axis.wrapped && axis.size > 2, axis.bandwidth, axis.latency, idle, idle});
        stride *= axis.size;
    }
}

int RankOrderCost::place(int rank) const {
    const int host = grid_.host(rank);
    return host < grid_.places() ? host : grid_.adopter(host);
}

void RankOrderCost::message(int from, int to, double bytes) {
    ++ranks_[from].sent;
    ++ranks_[to].received;
    int here = place(from);
    const int there = place(to);
    if (here == there) {
        ranks_[from].local_sent += bytes;
        ranks_[to].local_received += bytes;
        return;
    }
    int parity = 0;
    for (const AxisLoad& axis : axes_) parity ^= digit(here, axis.stride, axis.size) & 1;
    double latency = 0;
    for (AxisLoad& axis : axes_) {
        const int start = digit(here, axis.stride, axis.size), end = digit(there, axis.stride, axis.size);
        if (start == end) continue;
        const int forward = (end - start + axis.size) % axis.size, backward = axis.size - forward;
        const bool up = axis.wrapped ? forward < backward || (forward == backward && parity == 0) : end > start;
        // Link c joins the places c and c + 1: the message crosses links first .. last - 1 modulo the size.
        const int line = with_digit(here, axis.stride, axis.size, 0), first = up ? start : end, last = up ? end : start;
        std::vector<double>& change = up ? axis.up : axis.down;
        change[line + first * axis.stride] += bytes;
        change[line + last * axis.stride] -= bytes;
        if (first > last) change[line] += bytes;
        latency += axis.latency * (up == (end > start) ? std::abs(end - start) : axis.size - std::abs(end - start));
        here = with_digit(here, axis.stride, axis.size, end);
    }
    latency_ = std::max(latency_, latency);
}

double RankOrderCost::busiest(const AxisLoad& axis, std::vector<double>& load) {
    double busiest = 0;
    for (int place = 0; place < static_cast<int>(load.size()); ++place) {
        if (digit(place, axis.stride, axis.size) > 0) load[place] += load[place - axis.stride];
        busiest = std::max(busiest, load[place]);
    }
    std::fill(load.begin(), load.end(), 0);
    return busiest;
}

double RankOrderCost::step(double repetition) {
    double transfer = 0;
    for (AxisLoad& axis : axes_) {
        transfer = std::max(transfer, std::max(busiest(axis, axis.up), busiest(axis, axis.down)) / axis.bandwidth);
    }
    int messages = 0;
    for (RankLoad& rank : ranks_) {
        messages = std::max({messages, rank.sent, rank.received});
        transfer = std::max(transfer, std::max(rank.local_sent, rank.local_received) / MachineCosts::local_bandwidth);
        rank = {};
    }
    const double latency = latency_;
    latency_ = 0;
    return latency + repetition * (messages * MachineCosts::message_overhead + transfer);
}

void RankOrderCost::add_shift(int distance, double bytes) {
    const int ranks = grid_.ranks();
    for (int rank = 0; rank < ranks; ++rank) message(rank, (rank + distance) % ranks, bytes);
}

double RankOrderCost::shift(int distance, double bytes) {
    if (distance % grid_.ranks() == 0) return 0;
    add_shift(distance, bytes);
    return step();
}

std::vector<int> RankOrderCost::distances() const {
    const int all = grid_.ranks() - 1;
    const int count = std::min(all, std::max(1, most_messages / grid_.ranks()));
    std::vector<int> distances;
    for (int i = 0; i < count; ++i) {
        // Steps of the golden ratio spread evenly without falling into step with the sizes of the axes.
        constexpr double golden_ratio = 0.6180339887498949;
        const double position = (i + 0.5) * golden_ratio;
        distances.push_back(count == all ? i + 1 : 1 + static_cast<int>((position - std::floor(position)) * all));
    }
    return distances;
}

double RankOrderCost::shifts_in_turn(double bytes) {
    const std::vector<int> sample = distances();
    if (sample.empty()) return 0;
    double total = 0;
    for (const int distance : sample) total += shift(distance, bytes);
    return total * (grid_.ranks() - 1) / static_cast<double>(sample.size());
}

double RankOrderCost::shifts_at_once(double bytes) {
    const std::vector<int> sample = distances();
    if (sample.empty()) return 0;
    for (const int distance : sample) add_shift(distance, bytes);
    return step((grid_.ranks() - 1) / static_cast<double>(sample.size()));
}

}  // namespace coll_topo
