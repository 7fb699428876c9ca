// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sched.h>

#include <thread>
#include <vector>

namespace coll_topo::test {

/// Calls body(rank) for all ranks at once, each in a thread of its own, and waits for all. All take turns on one
/// processor: on several, ranks that have nothing to do would spend most of the time on locks of those that have.
template <typename Body>
void run_ranks(int ranks, Body body) {
    cpu_set_t all, processor;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&processor);
    CPU_SET(sched_getcpu(), &processor);
    sched_setaffinity(0, sizeof processor, &processor);  // threads inherit it, which takes less time than to move them
    {
        std::vector<std::jthread> threads;
        for (int rank = 0; rank < ranks; ++rank) threads.emplace_back([&, rank] { body(rank); });
    }
    sched_setaffinity(0, sizeof all, &all);
}

}  // namespace coll_topo::test
