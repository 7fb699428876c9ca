// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/schedule_replay.hpp"

#include "coll_topo/replay/lane_replay.hpp"

#include <algorithm>
#include <deque>

namespace coll_topo {
namespace {

/// Bytes that leave a rank while it begins the next message.
double short_message(const Grid& grid) {
    const MessageWays ways(grid);
    double fastest = 0;
    for (int link = 0; link < ways.links(); ++link) {
        const double seconds = ways.seconds_per_byte(link);
        if (seconds > 0) fastest = std::max(fastest, 1 / seconds);
    }
    return grid.costs().message_time * fastest;
}

}  // namespace

std::optional<double> replayed_schedule_seconds(const Grid& grid, Collective collective,
                                                const std::vector<Program>& programs, std::uint64_t bytes) {
    using namespace replay;
    const int ranks = static_cast<int>(programs.size());
    const MachineCosts costs = grid.costs_together();
    const double short_bytes = short_message(grid);
    Machine machine(grid);
    std::deque<MessageSizes> sizes;
    std::deque<Processor> processors;
    std::deque<LaneReplay> lanes;
    std::vector<Task> tasks;
    for (int number = 0; number < ranks; ++number) {
        const Program& program = programs[number];
        sizes.emplace_back(collective, program, number, ranks, bytes);
        processors.emplace_back(machine, program.first_lanes_first);
        const Rank rank{number, program, sizes.back(), processors.back()};
        for (int lane = 0; lane < static_cast<int>(program.lanes.size()); ++lane) {
            tasks.push_back(lanes.emplace_back(machine, costs, rank, lane, short_bytes).run());
            machine.wake(tasks.back().handle());
        }
    }
    machine.run();
    if (!std::ranges::all_of(lanes, &LaneReplay::has_ended)) return std::nullopt;
    return machine.now();
}

}  // namespace coll_topo
