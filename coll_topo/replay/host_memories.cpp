// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/host_memories.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace coll_topo::replay {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

HostMemories::HostMemories(const Grid& grid)
    : grid_(grid),
      bandwidth_(grid.costs().memory_bandwidth),
      rates_{grid.costs().local_bandwidth, grid.costs().reduce_bandwidth, grid.costs().copy_bandwidth} {}

void HostMemories::update(Memory& memory, double now) const {
    for (Kind& kind : memory.of_kind) kind.moved += kind.rate * (now - memory.updated);
    memory.updated = now;
}

void HostMemories::share(int host) {
    Memory& memory = memories_[host];
    std::array<int, kinds> slowest_first = {0, 1, 2};
    std::ranges::sort(slowest_first, {}, [&](int kind) { return rates_[kind]; });
    double left = bandwidth_, next = never;
    std::size_t moves = 0;
    for (const Kind& kind : memory.of_kind) moves += kind.moves.size();
    for (const int number : slowest_first) {
        Kind& kind = memory.of_kind[number];
        if (kind.moves.empty()) continue;
        kind.rate = std::min(rates_[number], left / static_cast<double>(moves));
        left -= kind.rate * static_cast<double>(kind.moves.size());
        moves -= kind.moves.size();
        next = std::min(next, memory.updated + (kind.moves.front().end - kind.moved) / kind.rate);
    }
    ends_.set(host, next);
}

void HostMemories::begin(int host, MemoryWork work, double bytes, std::coroutine_handle<> waiting, double now) {
    if (host >= static_cast<int>(memories_.size())) memories_.resize(host + 1);
    Memory& memory = memories_[host];
    update(memory, now);
    Kind& kind = memory.of_kind[static_cast<int>(work)];
    kind.moves.push_back({kind.moved + bytes, order_++, waiting});
    std::ranges::push_heap(kind.moves, std::greater<>());
    share(host);
}

double HostMemories::next_end() const {
    return ends_.empty() ? never : ends_.next_time();
}

void HostMemories::take_ended(double until, std::vector<std::coroutine_handle<>>& waiting) {
    while (next_end() <= until) {
        const int host = ends_.next();
        Memory& memory = memories_[host];
        update(memory, ends_.next_time());
        for (Kind& kind : memory.of_kind) {
            constexpr double resolution = 1e-12;  // seconds
            while (!kind.moves.empty() && kind.moves.front().end <= kind.moved + kind.rate * resolution) {
                waiting.push_back(kind.moves.front().waiting);
                std::ranges::pop_heap(kind.moves, std::greater<>());
                kind.moves.pop_back();
            }
        }
        share(host);
    }
}

}  // namespace coll_topo::replay
