// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/fat_tree/switch_tree.hpp"

#include "coll_topo/algorithm/cost/shared_cable.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

constexpr Blocks vector_{Buffer::output, 0, 1};

}  // namespace

SwitchTree::SwitchTree(const Grid& grid, const Problem& problem, int radix, int sends_at_once)
    : grid_(grid),
      collective_(problem.collective),
      radix_(radix),
      sends_at_once_(sends_at_once),
      ranks_(grid.ranks()),
      first_(grid.number_by_switches(problem.root)) {}

int SwitchTree::distance_to_parent(int number) const {
    std::int64_t distance = 1;
    while (distance < ranks_ && number % (distance * radix_) == 0) distance *= radix_;
    return static_cast<int>(distance);
}

TreeOfRank SwitchTree::of(int rank) const {
    const int own = (grid_.number_by_switches(rank) - first_ + ranks_) % ranks_;
    const int top = distance_to_parent(own);
    TreeOfRank tree;
    if (own > 0) tree.parent = rank_at(own - own / top % radix_ * top);
    for (int distance = top / radix_; distance > 0; distance /= radix_) {
        for (int child = own + distance; child < std::min(ranks_, own + radix_ * distance); child += distance) {
            tree.children.push_back(rank_at(child));
        }
    }
    return tree;
}

Program SwitchTree::build(int rank) const {
    const int own = (grid_.number_by_switches(rank) - first_ + ranks_) % ranks_;
    const int top = distance_to_parent(own), parent = own - own / top % radix_ * top;
    ProgramBuilder builder(1, 0);
    builder.lane(1, sends_at_once_);
    if (collective_ == Collective::bcast) {
        if (own > 0) builder.receive(rank_at(parent), vector_);
        builder.next_step();
        for (int distance = top / radix_; distance > 0; distance /= radix_) {
            for (int child = own + distance; child < std::min(ranks_, own + radix_ * distance); child += distance) {
                builder.send(rank_at(child), vector_);
            }
        }
        return builder.finish();
    }
    for (int distance = 1; distance < top; distance *= radix_) {
        for (int child = own + distance; child < std::min(ranks_, own + radix_ * distance); child += distance) {
            const int other = rank_at(child);
            builder.receive_reduce(other, vector_, other < rank ? Operand::left : Operand::right);
        }
        builder.next_step();
    }
    if (own > 0) builder.send(rank_at(parent), vector_);
    return builder.finish();
}

int SwitchTree::level_between(int number, int other) const {
    const LeafArrangement& leaves = grid_.leaves();
    const int one = grid_.host(rank_at(number)), two = grid_.host(rank_at(other));
    if (one == two) return 0;
    if (leaves.leaf(one) == leaves.leaf(two)) return 1;
    return leaves.group(one) == leaves.group(two) ? 2 : 3;
}

Way SwitchTree::way_between(int level, int number, int other) const {
    Way way = way_at(grid_, level);
    if (level > 0) way.latency = grid_.leaves().latency(grid_.host(rank_at(number)), grid_.host(rank_at(other)));
    return way;
}

void SwitchTree::share_cable(std::vector<Message>& messages, double transfer) const {
    std::ranges::stable_sort(messages, {}, &Message::start);
    std::vector<double> starts;
    for (const Message& message : messages) starts.push_back(message.start);
    const std::vector<double> ends = shared_cable_ends(starts, transfer);
    for (std::size_t i = 0; i < messages.size(); ++i) messages[i].end = ends[i];
}

double SwitchTree::bcast_seconds(double bytes) const {
    const MachineCosts& costs = grid_.costs();
    const double transfer = bytes / way_at(grid_, 1).bandwidth;
    const bool in_turn = sends_at_once_ == 1 && transfer > costs.message_time;
    std::vector<double> ready(ranks_, 0);
    std::vector<Message> messages;
    double last = 0;
    for (int own = 0; own < ranks_; ++own) {
        double now = ready[own];
        last = std::max(last, now);
        messages.clear();
        for (int distance = distance_to_parent(own) / radix_; distance > 0; distance /= radix_) {
            for (int child = own + distance; child < std::min(ranks_, own + radix_ * distance); child += distance) {
                now += costs.message_time;
                const int level = level_between(own, child);
                const Way way = way_between(level, own, child);
                ready[child] = now + way.latency + bytes / way.bandwidth;
                if (in_turn) now = ready[child];
                if (level > 0 && !in_turn) messages.push_back({now + way.latency, child, 0});
            }
        }
        share_cable(messages, transfer);
        for (const Message& message : messages) ready[message.number] = std::max(ready[message.number], message.end);
    }
    return last;
}

double SwitchTree::reduce_seconds(double bytes) const {
    const MachineCosts& costs = grid_.costs();
    const double transfer = bytes / way_at(grid_, 1).bandwidth, reduction = bytes / costs.reduce_bandwidth;
    std::vector<double> sent(ranks_, 0);  // when the message to the parent is posted
    std::vector<Message> messages;
    for (int own = ranks_ - 1; own >= 0; --own) {
        const int top = distance_to_parent(own);
        double now = 0, posted = 0;
        for (int distance = 1; distance < top && own + distance < ranks_; distance *= radix_) {
            messages.clear();
            const double begin = now;
            double local = 0;  // seconds to move what comes from the host
            for (int child = own + distance; child < std::min(ranks_, own + radix_ * distance); child += distance) {
                const int level = level_between(own, child);
                const Way way = way_between(level, own, child);
                if (level == 0) {
                    now = std::max(now, sent[child]);
                    local += bytes / way.bandwidth + reduction;
                } else {
                    messages.push_back({std::max(sent[child], posted) + way.latency, child, 0});
                }
            }
            now += local;
            share_cable(messages, transfer);
            std::ranges::sort(messages, {}, &Message::number);
            for (const Message& message : messages) now = std::max(now, message.end) + reduction;
            posted = begin;  // the receives of a step are posted when the one before begins
        }
        sent[own] = now + costs.message_time;
    }
    return sent[0] - costs.message_time;
}

double SwitchTree::seconds(double bytes) const {
    return collective_ == Collective::bcast ? bcast_seconds(bytes) : reduce_seconds(bytes);
}

}  // namespace coll_topo
