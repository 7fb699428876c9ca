// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/schedule_replay.hpp"

#include "coll_topo/replay/lane_replay.hpp"

#include <algorithm>
#include <deque>

namespace coll_topo {
namespace {

/// Bytes that leave a rank while it begins the next message.
double short_message(const Grid& grid, const MessageWays& ways) {
    return grid.costs().message_time * ways.fastest_link();
}

}  // namespace

ScheduleReplay::ScheduleReplay(const Grid& grid, double link_burst)
    : grid_(grid),
      ways_(grid),
      short_message_(short_message(grid, ways_)),
      links_([this](int link) { return ways_.seconds_per_byte(link); }, link_burst) {}

std::optional<double> ScheduleReplay::seconds(std::span<const SizedProgram> programs, double limit) {
    using namespace replay;
    links_.clear();
    Machine machine(grid_, ways_, links_);
    const double waiting_for_turn = grid_.costs().waiting_for_turn_beside(grid_.hosts(), grid_.ranks());
    const Setting setting{machine, frames_, grid_.costs(), short_message_, waiting_for_turn};
    std::deque<Processor> processors;
    std::deque<LaneReplay> lanes;
    std::deque<LateCopyReplay> copies;
    std::vector<Task> tasks;
    for (int number = 0; number < static_cast<int>(programs.size()); ++number) {
        const Program& program = programs[number].program;
        processors.emplace_back(machine, program.first_lanes_first);
        const Rank rank{number, programs[number], processors.back()};
        for (int lane = 0; lane < static_cast<int>(program.lanes.size()); ++lane) {
            tasks.push_back(lanes.emplace_back(setting, rank, lane).run());
            machine.wake(tasks.back().handle());
        }
        if (programs[number].copied_late == 0) continue;
        tasks.push_back(copies.emplace_back(setting, rank).run());
        machine.wake(tasks.back().handle());
    }
    machine.run(limit, most_shares_);
    const bool has_ended = machine.now() > limit || std::ranges::all_of(lanes, &LaneReplay::has_ended);
    return has_ended ? std::optional(machine.now()) : std::nullopt;
}

}  // namespace coll_topo
