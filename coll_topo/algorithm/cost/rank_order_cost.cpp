// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"

#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/schedule/program.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coll_topo {
namespace {

/// Pairs of places on one line of an axis whose routes cross its busiest link in the same direction. On the first axis
/// every second place of a line has its ties go one way, on others half of those that begin elsewhere do.
double pairs_on_busiest_link(const TorusDimension& axis, Tie tie, bool is_first) {
    const int half = axis.size / 2;
    if (!axis.wrapped) return half * (axis.size - half);
    const double nearer = half * (half - 1) / 2.0;
    if (axis.size % 2 == 1 || tie != Tie::parity) return nearer + half;
    return nearer + (is_first ? (half + 1) / 2 : half / 2.0);
}

}  // namespace

RankOrderCost::RankOrderCost(const Grid& grid) : grid_(grid), ranks_(grid.ranks()) {
    if (grid.switched()) {
        leaves_.emplace(grid);
        return;
    }
    links_.emplace(grid.cells()->routes());
}

RankOrderCost::RankOrderCost(const Grid& grid, std::vector<std::int32_t> order) : RankOrderCost(grid) {
    order_ = std::move(order);
}

void RankOrderCost::message(int from_number, int to_number, double bytes) {
    const int from = rank(from_number), to = rank(to_number);
    ++ranks_[from].sent;
    if (grid_.host(from) == grid_.host(to)) {
        ++ranks_[from].sent_within_host;
        ranks_[to].local_received += bytes;
        return;
    }
    if (leaves_) {
        latency_ = std::max(latency_, leaves_->add(grid_.host(from), grid_.host(to), bytes));
        return;
    }
    double latency = grid_.cells()->start_latency();
    links_->for_legs(grid_.host(from), grid_.host(to), [&](const TorusLeg& leg) {
        links_->add(leg, bytes);
        latency += leg.hops * dimensions()[leg.dimension].latency;
    });
    latency_ = std::max(latency_, latency);
}

double RankOrderCost::alone(int from_number, int to_number, double bytes) {
    const int from = rank(from_number), to = rank(to_number);
    if (grid_.host(from) == grid_.host(to)) return machine().local_message() + bytes / machine().local_bandwidth;
    if (leaves_) {
        return grid_.costs_together().message_time + leaves_->alone(grid_.host(from), grid_.host(to), bytes);
    }
    double transfer = 0;
    double latency = grid_.cells()->start_latency();
    links_->for_legs(grid_.host(from), grid_.host(to), [&](const TorusLeg& leg) {
        const TorusDimension& dimension = dimensions()[leg.dimension];
        transfer = std::max(transfer, bytes / dimension.bandwidth);
        latency += leg.hops * dimension.latency;
    });
    return grid_.costs_together().message_time + latency + transfer;
}

double RankOrderCost::step() {
    const double latency = latency_;
    return latency + pace();
}

double RankOrderCost::pace() {
    const Pace pace = take();
    return std::max(started_in_turn_seconds(pace.messages, pace.start, pace.transfer), pace.work);
}

double RankOrderCost::busiest_link() {
    links_->sum_up();
    double seconds = 0;
    for (int d = 0; d < static_cast<int>(dimensions().size()); ++d) {
        seconds = std::max(seconds, links_->busiest(d) / dimensions()[d].bandwidth);
    }
    links_->clear();
    return seconds;
}

RankOrderCost::Pace RankOrderCost::take() {
    Pace pace;
    if (leaves_) pace.transfer = leaves_->take();
    if (links_) pace.transfer = busiest_link();
    const MachineCosts costs = machine();
    for (RankLoad& rank : ranks_) {
        // Who sends nothing waits until another one has begun.
        const double starts = rank.sent == 0 && rank.local_received > 0
                                  ? costs.local_message()
                                  : (rank.sent - rank.sent_within_host) * costs.message_time +
                                        rank.sent_within_host * costs.local_message();
        if (rank.sent > pace.messages) pace = {pace.transfer, pace.work, rank.sent, starts / rank.sent};
        pace.work = std::max(pace.work, starts + rank.local_received / costs.local_bandwidth);
        rank = {};
    }
    latency_ = 0;
    return pace;
}

double RankOrderCost::shift(int distance, double bytes) {
    const int ranks = grid_.ranks();
    if (distance % ranks == 0) return 0;
    for (int rank = 0; rank < ranks; ++rank) message(rank, (rank + distance) % ranks, bytes);
    return step();
}

double RankOrderCost::gather(int root, double bytes) {
    for (int rank = 0; rank < grid_.ranks(); ++rank) {
        if (rank != root) message(rank, root, bytes);
    }
    return step();
}

void RankOrderCost::fold(double bytes) {
    for (int host = grid_.places(); host < grid_.hosts(); ++host) {
        message(grid_.ranks_of_host(host)[0], grid_.ranks_of_host(grid_.proxy(host))[0], bytes);
    }
}

RankOrderCost::RingSeconds RankOrderCost::ring(double bytes, double work, int lanes) {
    const int ranks = grid_.ranks();
    if (ranks == 1) return {};
    const double start = machine().message_time;
    // A receive is posted while the one before is combined; of blocks that are only passed on more are ahead.
    const int under_way = 1 + (work > 0 ? 1 : most_steps_ahead);
    double ways = 0, least = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const int next = (rank + 1) % ranks;
        message(rank, next, bytes);
        const double way = alone(rank, next, bytes / lanes) + work / lanes;
        ways += way;
        least = std::max(least, (work > 0 ? way - start : way) / under_way);
    }
    least = std::max(least, ways / ranks);
    if (lanes == 1) return {(ranks - 1) * std::max(least, pace() + work)};
    const Pace busiest = take();
    const double processor = busiest.work + (lanes - 1) * start + work;
    const double step = std::max({least, busiest.transfer, processor});
    return {(ranks - 1) * step, (ranks - 1) * (step - busiest.transfer)};
}

std::vector<int> RankOrderCost::distances(int modulus) {
    const int all = modulus - 1;
    const int count = std::min(all, std::max(1, most_messages / modulus));
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
    const std::vector<int> sample = distances(grid_.ranks());
    if (sample.empty()) return 0;
    double total = 0;
    for (const int distance : sample) total += shift(distance, bytes);
    return total * (grid_.ranks() - 1) / static_cast<double>(sample.size());
}

std::vector<double> RankOrderCost::idle_in_turns(double bytes_to_each) {
    constexpr int most_looked_at = 16;
    const int hosts = grid_.hosts(), local_ranks = grid_.most_ranks_per_host();
    const int looked_at = std::min(hosts, most_looked_at);
    const double start = local_ranks * machine().message_time;
    std::vector<double> busy_until(2 * dimensions().size()), idle(busy_until.size()), hops(busy_until.size());
    for (std::int64_t turn = 1; turn < hosts; ++turn) {
        std::ranges::fill(hops, 0);
        for (std::int64_t i = 0; i < looked_at; ++i) {
            const auto from = static_cast<int>(i * hosts / looked_at);
            const auto to = static_cast<int>((from + turn) % hosts);
            links_->for_legs(from, to,
                             [&](const TorusLeg& leg) { hops[2 * leg.dimension + leg.positive] += leg.hops; });
        }
        for (std::size_t link = 0; link < hops.size(); ++link) {
            if (hops[link] == 0) continue;
            const double bytes = bytes_to_each * local_ranks * hops[link] / looked_at;
            const double begin = std::max(busy_until[link], static_cast<double>(turn - 1) * start);
            idle[link] += begin - busy_until[link];
            busy_until[link] = begin + bytes / dimensions()[link / 2].bandwidth;
        }
    }
    return idle;
}

std::vector<double> RankOrderCost::pairs_on_busiest_links() {
    std::vector<double> pairs;
    if (grid_.keeps_to_axes()) {
        bool is_first = true;
        for (const TorusDimension& axis : dimensions()) {
            pairs.push_back(grid_.hosts() / axis.size * pairs_on_busiest_link(axis, links_->torus().tie(), is_first));
            is_first = is_first && axis.size == 1;
        }
        return pairs;
    }
    const int hosts = grid_.hosts();
    const std::vector<int> sample = distances(hosts);
    for (const int distance : sample) {
        for (int host = 0; host < hosts; ++host) {
            links_->for_legs(host, (host + distance) % hosts, [&](const TorusLeg& leg) { links_->add(leg, 1); });
        }
    }
    links_->sum_up();
    for (int d = 0; d < static_cast<int>(dimensions().size()); ++d) {
        pairs.push_back(links_->busiest(d) * (hosts - 1) / static_cast<double>(sample.size()));
    }
    links_->clear();
    return pairs;
}

double RankOrderCost::all_at_once(double bytes) {
    const double local_ranks = static_cast<double>(grid_.ranks()) / grid_.hosts();
    double transfer = 0, with_idle = 0;
    double latency = 0;
    if (leaves_) {
        latency = leaves_->way_latency();
        transfer = leaves_->all_at_once(bytes);
    }
    if (links_) {
        latency = grid_.cells()->start_latency();
        const std::vector<double> pairs = pairs_on_busiest_links();
        // On an open line the links in the middle are needed in all turns, and where hosts are missing some others.
        std::vector<double> idle;
        if (grid_.keeps_to_axes()) idle = idle_in_turns(bytes * grid_.most_ranks_per_host());
        for (std::size_t i = 0; i < dimensions().size(); ++i) {
            const TorusDimension& axis = dimensions()[i];
            const double busy = bytes * local_ranks * local_ranks * pairs[i] / axis.bandwidth;
            transfer = std::max(transfer, busy);
            const bool waits = axis.wrapped && !idle.empty();
            if (waits) with_idle = std::max(with_idle, busy + std::max(idle[2 * i], idle[2 * i + 1]));
            latency += axis.latency * (axis.wrapped ? axis.size / 2 : axis.size - 1);
        }
    }
    const double start = machine().message_time;
    const double work =
        (grid_.ranks() - 1) * start + (grid_.most_ranks_per_host() - 1) * bytes / machine().local_bandwidth;
    return latency + std::max({started_in_turn_seconds(grid_.ranks() - 1, start, transfer), start + with_idle, work});
}

}  // namespace coll_topo
