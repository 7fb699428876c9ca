// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/replayed_prediction.hpp"

#include "coll_topo/replay/sized_program.hpp"
#include "coll_topo/schedule/block_layout.hpp"
#include "coll_topo/select/spread_sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace coll_topo {
namespace {

constexpr int most_ranks = 2048;

/// A replay takes about a microsecond for each message. Few are always worth it.
int few_messages(int ranks) {
    constexpr int in_all = 3072, of_each_rank = 16;
    return std::max(in_all, of_each_rank * ranks);
}

/// Builds the programs of all ranks, as far as they are needed.
class BuiltSchedule {
public:
    BuiltSchedule(const ReplayedPrediction::Row& row, const Grid& grid, std::uint64_t bytes, int most_messages)
        : row_(row),
          grid_(grid),
          bytes_(bytes),
          most_messages_(most_messages),
          programs_(grid.ranks()),
          is_built_(grid.ranks()) {}

    const SizedProgram& of(int rank) {
        if (!is_built_[rank]) add(rank, row_.algorithm.build(grid_, row_.problem, rank));
        return programs_[rank];
    }

    /// Whether all ranks together send few messages; builds only some programs if these show that they do not.
    bool is_short() {
        if (row_.algorithm.build_all != nullptr) {
            if (is_long_pipeline() || all_send_much()) return false;
            int rank = 0;
            for (Program& program : row_.algorithm.build_all(grid_, row_.problem)) add(rank++, std::move(program));
        }
        if (messages_by_sample() > most_messages_) return false;
        int messages = 0;
        for (int rank = 0; rank < grid_.ranks() && messages <= most_messages_; ++rank) messages += of(rank).sends();
        return messages <= most_messages_;
    }

    /// Once all have been built.
    std::span<const SizedProgram> programs() const { return programs_; }

private:
    void add(int rank, Program program) {
        programs_[rank] = sized(row_.problem.collective, std::move(program), rank, grid_.ranks(), bytes_);
        is_built_[rank] = true;
    }

    /// Whether so many messages are sent even if all ranks send no more than the least of a few.
    bool all_send_much() {
        constexpr std::size_t looked_at = 3;
        int least = most_messages_;
        for (const std::size_t rank : spread_sample(grid_.ranks(), looked_at)) {
            least = std::min(least, of(static_cast<int>(rank)).sends());
        }
        return least * grid_.ranks() > most_messages_;
    }

    /// Whether it sends far too many messages: as many more as there are segments.
    bool is_long_pipeline() const {
        if (row_.problem.segments == 1) return false;
        Problem once = row_.problem;
        once.segments = 1;
        std::int64_t messages = 0;
        for (const Program& program : row_.algorithm.build_all(grid_, once)) {
            messages += std::ranges::count_if(program.actions, is_send);
        }
        return messages * row_.problem.segments > 2 * most_messages_;
    }

    /// What all send if some ranks that send alike are like all others; half of that if these differ.
    int messages_by_sample() {
        constexpr std::size_t looked_at = 8;
        if (grid_.ranks() <= static_cast<int>(looked_at)) return 0;
        std::vector<int> sends;
        for (const std::size_t rank : spread_sample(grid_.ranks(), looked_at)) {
            sends.push_back(of(static_cast<int>(rank)).sends());
        }
        const auto [least, most] = std::ranges::minmax(sends);
        if (least == most) return grid_.ranks() * most;
        const int all = std::accumulate(sends.begin(), sends.end(), 0);
        return grid_.ranks() * all / static_cast<int>(looked_at) / 2;
    }

    const ReplayedPrediction::Row& row_;
    const Grid& grid_;
    const std::uint64_t bytes_;
    const int most_messages_;
    std::vector<SizedProgram> programs_;
    std::vector<bool> is_built_;
};

/// The steps of a program of one lane, without a window, that send a message, and receive one, if all send as much and
/// no other step sends anything; else none.
std::vector<std::size_t> alike_exchanges(const SizedProgram& sized) {
    const Program& program = sized.program;
    std::vector<std::size_t> exchanges;
    if (program.lanes.size() != 1 || program.lanes[0].window > 1) return exchanges;
    double bytes = 0;
    for (std::size_t step = 0; step < program.steps.size(); ++step) {
        const auto actions = program.actions_of(program.steps[step]);
        const auto send = std::ranges::find_if(actions, is_send);
        if (send == actions.end()) continue;
        if (exchanges.empty()) bytes = sized.bytes_of(*send);
        const bool alike = std::ranges::count_if(actions, is_send) == 1 &&
                           std::ranges::count_if(actions, is_receive) == 1 && sized.bytes_of(*send) == bytes;
        if (!alike || bytes == 0) return {};
        exchanges.push_back(step);
    }
    return exchanges;
}

}  // namespace

ReplayedPrediction::ReplayedPrediction(const Grid& grid) : grid_(grid), most_messages_(few_messages(grid.ranks())) {
    if (grid.hosts() == 1 || grid.ranks() > most_ranks) return;
    replay_.emplace(grid);
    if (grid.costs().link_burst > 0) without_bursts_.emplace(grid, 0);
}

void ReplayedPrediction::expect(double call_seconds) {
    // Ranks that share their processors would all wait for one another to choose.
    if (grid_.costs().shared_message_time > 0) return;
    // Four times as long as the call.
    constexpr double for_a_second = 4e6;
    constexpr int most = 1 << 14;
    const double worth = std::min<double>(most, for_a_second * call_seconds);
    most_messages_ = std::max(few_messages(grid_.ranks()), static_cast<int>(worth));
}

bool ReplayedPrediction::can_tell(const Row& row, double bytes) const {
    const bool has_pieces = vector_form(row.problem.collective) != VectorForm::whole;
    if (!replay_ || bytes < (has_pieces ? grid_.ranks() : 1)) return false;  // nothing would be sent
    // Its root has to receive all pieces, which takes time that is counted for senders alone, unless all share it.
    return row.problem.collective != Collective::gather || grid_.costs().shared_message_time > 0;
}

std::optional<double> ReplayedPrediction::seconds_of_all(const Row& row, double bytes, double limit) {
    return can_tell(row, bytes) ? of_all(*replay_, row, bytes, limit) : std::nullopt;
}

std::optional<double> ReplayedPrediction::seconds(const Row& row, double bytes, const Limit& limit) {
    if (!can_tell(row, bytes)) return std::nullopt;
    const std::optional<double> seconds = of_all(*replay_, row, bytes, limit.seconds);
    if (seconds) return seconds;
    return row.problem.segments > 1 ? of_beginning(row, bytes, limit) : of_sample(row, bytes, limit.seconds);
}

std::optional<double> ReplayedPrediction::of_all(ScheduleReplay& replay, const Row& row, double bytes, double limit) {
    BuiltSchedule schedule(row, grid_, static_cast<std::uint64_t>(bytes), most_messages_);
    return schedule.is_short() ? replay.seconds(schedule.programs(), limit) : std::nullopt;
}

std::optional<double> ReplayedPrediction::of_beginning(const Row& row, double bytes, const Limit& limit) {
    constexpr int fewest_segments = 4;
    constexpr double steady = 0.05, steady_for_half = 0.3, full = 0.5, full_for_half = 1;
    const int all = row.problem.segments;
    // Where the formula may count after all, it must come to that.
    const double most = limit.otherwise > limit.seconds ? limit.seconds : none.seconds;
    const auto bytes_of = [&](int segments) { return bytes * segments / all; };
    const auto seconds_of = [&](int segments, ScheduleReplay& replay) {
        Problem first = row.problem;
        first.segments = segments;
        return of_all(replay, {row.algorithm, first}, bytes_of(segments), none.seconds).value_or(0);
    };
    for (int segments = all / 2; segments >= fewest_segments; segments /= 2) {
        Problem first = row.problem;
        first.segments = segments;
        const Row beginning{row.algorithm, first};
        const bool half_of_all = 2 * segments >= all;
        // Half of a pipeline tells more of the rest than a short beginning, and is worth twice as many messages.
        const int most_sent = half_of_all ? std::max(most_messages_, 2 * few_messages(grid_.ranks())) : most_messages_;
        BuiltSchedule schedule(beginning, grid_, static_cast<std::uint64_t>(bytes_of(segments)), most_sent);
        if (!schedule.is_short()) continue;
        const double quarter = seconds_of(segments / 4, *replay_), half = seconds_of(segments / 2, *replay_);
        const double pace_before = (half - quarter) / (segments / 2 - segments / 4);
        // How much the pace may change.
        const double change = half_of_all ? steady_for_half : steady;
        const double least = half + (all - segments / 2) * pace_before / (1 + change);
        if (least > most) return least;
        const double seconds = replay_->seconds(schedule.programs()).value_or(0);
        double pace = (seconds - half) / (segments - segments / 2);
        if (std::abs(pace - pace_before) > change * pace) return std::nullopt;
        // Before the first segment has arrived, messages have more of the links than later on.
        if (seconds_of(1, *replay_) > (half_of_all ? full_for_half : full) * segments * pace) return std::nullopt;
        if (without_bursts_) {  // those have soon been used up
            const double all_first = without_bursts_->seconds(schedule.programs()).value_or(0);
            const double half_of_these = seconds_of(segments / 2, *without_bursts_);
            pace = std::max(pace, (all_first - half_of_these) / (segments - segments / 2));
        }
        return seconds + (all - segments) * pace;
    }
    return std::nullopt;
}

std::optional<double> ReplayedPrediction::of_sample(const Row& row, double bytes, double limit) {
    const auto kept = static_cast<std::size_t>(most_messages_ / grid_.ranks());
    BuiltSchedule schedule(row, grid_, static_cast<std::uint64_t>(bytes), most_messages_);
    std::vector<SizedProgram> programs;
    std::size_t all = 0;
    for (int rank = 0; rank < grid_.ranks(); ++rank) {
        const auto exchanges = alike_exchanges(schedule.of(rank));
        if (rank == 0) all = exchanges.size();
        if (exchanges.size() <= kept || exchanges.size() != all) return std::nullopt;
        Program& program = programs.emplace_back(schedule.of(rank)).program;
        std::vector<Step> steps;
        for (const std::size_t number : spread_sample(all, kept)) steps.push_back(program.steps[exchanges[number]]);
        program.steps = std::move(steps);
        program.lanes[0].end_step = static_cast<std::int32_t>(kept);
    }
    const double share = static_cast<double>(kept) / static_cast<double>(all);
    const auto seconds = replay_->seconds(programs, limit * share);
    return seconds ? std::optional(*seconds / share) : std::nullopt;
}

}  // namespace coll_topo
