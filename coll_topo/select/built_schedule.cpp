// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/built_schedule.hpp"

#include "coll_topo/select/spread_sample.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace coll_topo {

BuiltSchedule::BuiltSchedule(const Algorithm& algorithm, const Problem& problem, const Grid& grid, std::uint64_t bytes,
                             int most_messages)
    : algorithm_(algorithm),
      problem_(problem),
      grid_(grid),
      bytes_(bytes),
      most_messages_(most_messages),
      programs_(grid.ranks()),
      is_built_(grid.ranks()) {}

const SizedProgram& BuiltSchedule::of(int rank) {
    if (!is_built_[rank]) add(rank, algorithm_.build(grid_, problem_, rank));
    return programs_[rank];
}

std::span<const SizedProgram> BuiltSchedule::of_all() {
    if (algorithm_.build_all != nullptr && std::ranges::count(is_built_, false) > 0) build_all();
    for (int rank = 0; rank < grid_.ranks(); ++rank) of(rank);
    return programs_;
}

void BuiltSchedule::build_all() {
    int rank = 0;
    for (Program& program : algorithm_.build_all(grid_, problem_)) add(rank++, std::move(program));
}

void BuiltSchedule::add(int rank, Program program) {
    programs_[rank] = sized(problem_.collective, std::move(program), rank, grid_.ranks(), bytes_);
    is_built_[rank] = true;
}

bool BuiltSchedule::is_short() {
    if (!is_short_) is_short_ = counts_few();
    return *is_short_;
}

std::optional<double> BuiltSchedule::seconds(ScheduleReplay& replay, double limit) {
    return is_short() ? replay.seconds(programs_, limit) : std::nullopt;
}

bool BuiltSchedule::counts_few() {
    if (algorithm_.build_all != nullptr) {
        if (problem_.segments > 1 ? is_long_pipeline() : all_send_much()) return false;
        build_all();
    }
    if (messages_by_sample() > most_messages_) return false;
    int messages = 0;
    for (int rank = 0; rank < grid_.ranks() && messages <= most_messages_; ++rank) messages += messages_of(rank);
    return messages <= most_messages_;
}

/// Where it copies far more often than it sends, so many copies as take as long to build and to replay as a message are
/// counted as one.
int BuiltSchedule::messages_of(int rank) {
    constexpr std::size_t as_long_as_a_message = 32;
    const SizedProgram& program = of(rank);
    return std::max(program.sends(), static_cast<int>(program.program.actions.size() / as_long_as_a_message));
}

/// Whether so many messages are sent even if all ranks send no more than the least of a few.
bool BuiltSchedule::all_send_much() {
    constexpr std::size_t looked_at = 3;
    int least = most_messages_;
    for (const std::size_t rank : spread_sample(grid_.ranks(), looked_at)) {
        least = std::min(least, of(static_cast<int>(rank)).sends());
    }
    return least * grid_.ranks() > most_messages_;
}

/// Whether it sends far too many messages: as many more as there are segments.
bool BuiltSchedule::is_long_pipeline() const {
    Problem once = problem_;
    once.segments = 1;
    std::int64_t messages = 0;
    for (const Program& program : algorithm_.build_all(grid_, once)) {
        messages += std::ranges::count_if(program.actions, is_send);
    }
    return messages * problem_.segments > 2 * most_messages_;
}

/// What all send if some ranks that send alike are like all others; half of that if these differ.
int BuiltSchedule::messages_by_sample() {
    constexpr std::size_t looked_at = 8;
    if (grid_.ranks() <= static_cast<int>(looked_at)) return 0;
    std::vector<int> sends;
    for (const std::size_t rank : spread_sample(grid_.ranks(), looked_at)) {
        sends.push_back(messages_of(static_cast<int>(rank)));
    }
    const auto [least, most] = std::ranges::minmax(sends);
    if (least == most) return grid_.ranks() * most;
    const int all = std::accumulate(sends.begin(), sends.end(), 0);
    return grid_.ranks() * all / static_cast<int>(looked_at) / 2;
}

}  // namespace coll_topo
