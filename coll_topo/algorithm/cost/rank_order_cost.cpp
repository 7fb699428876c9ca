// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"

#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/base/mixed_radix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace coll_topo {

RankOrderCost::RankOrderCost(const Grid& grid) : grid_(grid), ranks_(grid.ranks()) {
    if (grid.switched()) {
        leaves_.emplace(grid);
        return;
    }
    int stride = 1;
    for (const Axis& axis : grid.axes()) {
        const std::vector<double> idle(grid.places(), 0);
        // Both cables of a ring of two are in the bandwidth of its axis.
        axes_.push_back({axis.size, stride, axis.wrapped && axis.size > 2, axis.bandwidth, axis.latency, idle, idle});
        stride *= axis.size;
    }
}

RankOrderCost::RankOrderCost(const Grid& grid, std::vector<std::int32_t> order) : RankOrderCost(grid) {
    order_ = std::move(order);
}

int RankOrderCost::place(int rank) const {
    return grid_.place_of(grid_.host(rank));
}

RankOrderCost::Leg RankOrderCost::leg(const AxisLoad& axis, int here, int there, int parity) {
    const int start = digit(here, axis.stride, axis.size), end = digit(there, axis.stride, axis.size);
    const int forward = (end - start + axis.size) % axis.size, backward = axis.size - forward;
    if (!axis.wrapped) return {start, end, end > start, std::abs(end - start)};
    return {start, end, forward < backward || (forward == backward && parity == 0), std::min(forward, backward)};
}

void RankOrderCost::message(int from_number, int to_number, double bytes) {
    const int from = rank(from_number), to = rank(to_number);
    ++ranks_[from].sent;
    ++ranks_[to].received;
    if (leaves_ && grid_.host(from) != grid_.host(to)) {
        latency_ = std::max(latency_, leaves_->add(grid_.host(from), grid_.host(to), bytes));
        return;
    }
    int here = place(from);
    const int there = place(to);
    if (here == there) {
        ranks_[from].local_sent += bytes;
        ranks_[to].local_received += bytes;
        return;
    }
    int parity = 0;
    for (const AxisLoad& axis : axes_) parity ^= digit(here, axis.stride, axis.size) & 1;
    double latency = start_latency();
    for (AxisLoad& axis : axes_) {
        const auto [start, end, up, hops] = leg(axis, here, there, parity);
        if (start == end) continue;
        // Link c joins the places c and c + 1: the message crosses links first .. last - 1 modulo the size.
        const int line = with_digit(here, axis.stride, axis.size, 0), first = up ? start : end, last = up ? end : start;
        std::vector<double>& change = up ? axis.up : axis.down;
        change[line + first * axis.stride] += bytes;
        change[line + last * axis.stride] -= bytes;
        if (first > last) change[line] += bytes;
        latency += hops * axis.latency;
        here = with_digit(here, axis.stride, axis.size, end);
    }
    latency_ = std::max(latency_, latency);
}

double RankOrderCost::alone(int from_number, int to_number, double bytes) const {
    const int from = rank(from_number), to = rank(to_number);
    if (leaves_ && grid_.host(from) != grid_.host(to)) {
        return grid_.costs().message_time + leaves_->alone(grid_.host(from), grid_.host(to), bytes);
    }
    const int here = place(from), there = place(to);
    double transfer = here == there ? bytes / grid_.costs().local_bandwidth : 0;
    double latency = here == there ? 0 : start_latency();
    for (const AxisLoad& axis : axes_) {
        const int hops = leg(axis, here, there, 0).hops;
        if (hops > 0) transfer = std::max(transfer, bytes / axis.bandwidth);
        latency += hops * axis.latency;
    }
    return grid_.costs().message_time + latency + transfer;
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

double RankOrderCost::step() {
    double transfer = leaves_ ? leaves_->take() : 0;
    for (AxisLoad& axis : axes_) {
        transfer = std::max(transfer, std::max(busiest(axis, axis.up), busiest(axis, axis.down)) / axis.bandwidth);
    }
    int messages = 0;
    for (RankLoad& rank : ranks_) {
        messages = std::max({messages, rank.sent, rank.received});
        transfer = std::max(transfer, std::max(rank.local_sent, rank.local_received) / grid_.costs().local_bandwidth);
        rank = {};
    }
    const double latency = latency_;
    latency_ = 0;
    return latency + messages * grid_.costs().message_time + transfer;
}

double RankOrderCost::shift(int distance, double bytes) {
    const int ranks = grid_.ranks();
    if (distance % ranks == 0) return 0;
    for (int rank = 0; rank < ranks; ++rank) message(rank, (rank + distance) % ranks, bytes);
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

double RankOrderCost::all_at_once(double bytes) const {
    const double local_ranks = static_cast<double>(grid_.ranks()) / grid_.places();
    double transfer = (grid_.most_ranks_per_host() - 1) * bytes / grid_.costs().local_bandwidth;
    double latency = start_latency();
    if (leaves_) latency = leaves_->all_at_once(bytes);
    for (const AxisLoad& axis : axes_) {
        const int quarter = (axis.size / 2) * ((axis.size + 1) / 2);
        // Pairs of places on one line of the axis whose ways cross its busiest link in the same direction.
        const double pairs = axis.wrapped ? quarter / 2.0 : quarter;
        const int lines = grid_.places() / axis.size;
        transfer = std::max(transfer, bytes * local_ranks * local_ranks * lines * pairs / axis.bandwidth);
        latency += axis.latency * (axis.wrapped ? axis.size / 2 : axis.size - 1);
    }
    return latency + (grid_.ranks() - 1) * grid_.costs().message_time + transfer;
}

}  // namespace coll_topo
