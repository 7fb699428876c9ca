// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/replayed_prediction.hpp"

#include "coll_topo/schedule/block_layout.hpp"
#include "coll_topo/schedule/latency_bound.hpp"
#include "coll_topo/select/exchange_sample.hpp"
#include "coll_topo/select/spread_sample.hpp"
#include "coll_topo/select/time_sharing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace coll_topo {
namespace {

constexpr int most_ranks = 2048;
constexpr int most_messages = 1 << 14;
constexpr std::size_t most_sampled = 1 << 19;  // of these, which are built: some 30 MB for a while

/// A replay takes about a microsecond for each message. Few are always worth it.
int few_messages(int ranks) {
    constexpr int in_all = 3072, of_each_rank = 16;
    return std::max(in_all, of_each_rank * ranks);
}

/// With more for more than 256 ranks, of 240 choices on 256 to 960 ranks 27 are others, which take 0.60 to 1.13 of the
/// time, 0.93 on average. With up to 65536, of 192 choices on 480 to 1920 ranks 15 more are, which take 0.96, and to
/// find them takes 1.4 times as long.
int most_messages_of(int ranks) {
    constexpr int of_each_rank = 64;
    return std::clamp(of_each_rank * ranks, most_messages, 2 * most_messages);
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
    const double worth = std::min<double>(most_messages, for_a_second * call_seconds);
    allow(std::max(few_messages(grid_.ranks()), static_cast<int>(worth)));
}

bool ReplayedPrediction::take_longer() {
    const int most = most_messages_of(grid_.ranks());
    if (grid_.costs().shared_message_time > 0 || most_messages_ >= most) return false;
    allow(most);
    return true;
}

bool ReplayedPrediction::take_longest(double call_seconds) {
    // 16 times as long as the call. With it, 79 of 810 choices on 15 networks from 4 MiB on were others, nearly all of
    // them faster, up to 0.79 of the time.
    constexpr double most = 1 << 16, for_a_second = 16e6;
    const int worth = static_cast<int>(std::min(most, for_a_second * call_seconds));
    if (grid_.costs().shared_message_time > 0 || most_messages_ >= worth) return false;
    allow(worth);
    return true;
}

bool ReplayedPrediction::is_of_all(const Row& row, double bytes) const {
    if (!can_tell(row, bytes)) return false;
    for (const Counted& counted : counted_) {
        if (counted.algorithm != &row.algorithm || counted.problem != row.problem || counted.bytes != bytes) continue;
        if (counted.is_short ? counted.most_messages <= most_messages_ : counted.most_messages >= most_messages_)
            return counted.is_short;
    }
    return build(row, bytes, most_messages_).is_short();
}

void ReplayedPrediction::allow(int messages) {
    // Where hosts are missing ways are long, and no two cables shared alike: a share takes four times as long.
    const std::int64_t shares_of_a_message = grid_.keeps_to_axes() ? 256 : 64;
    most_messages_ = messages;
    // Many more messages tell where few share a link; where many do, it would take seconds.
    const std::int64_t shares = shares_of_a_message * (messages > most_messages ? most_messages / 2 : messages);
    if (replay_) replay_->allow_shares(shares);
    if (without_bursts_) without_bursts_->allow_shares(shares);
}

bool ReplayedPrediction::can_tell(const Row& row, double bytes) const {
    const bool has_pieces = vector_form(row.problem.collective) != VectorForm::whole;
    if (!replay_ || bytes < (has_pieces ? grid_.ranks() : 1)) return false;  // nothing would be sent
    // Its root has to receive all pieces, which takes time that is counted for senders alone, unless all share it.
    return row.problem.collective != Collective::gather || grid_.costs().shared_message_time > 0;
}

std::optional<double> ReplayedPrediction::seconds_of_all(const Row& row, double bytes, double limit) {
    return can_tell(row, bytes) ? build(row, bytes, most_messages_).seconds(*replay_, limit) : std::nullopt;
}

std::optional<double> ReplayedPrediction::seconds(const Row& row, double bytes, const Limit& limit) {
    if (!can_tell(row, bytes)) return std::nullopt;
    BuiltSchedule schedule = build(row, bytes, most_messages_);
    counted_.push_back({&row.algorithm, row.problem, bytes, most_messages_, schedule.is_short()});
    // In a short call every host has something to do all the time.
    const double each = bytes > latency_bound_bytes ? 0 : grid_.costs().waiting_for_turn(grid_.hosts());
    const double waiting = waiting_among_hosts(row.algorithm, grid_, row.problem, each);
    if (const auto seconds = schedule.seconds(*replay_, limit.seconds - waiting)) return *seconds + waiting;
    if (row.problem.segments > 1) return of_beginning(row, bytes, limit);
    // Formulas count each message that shared processors spend time on, and each wait.
    return grid_.costs().shared_message_time > 0 ? std::nullopt : of_sample(schedule, limit.seconds);
}

BuiltSchedule ReplayedPrediction::build(const Row& row, double bytes, int most_messages) const {
    return {row.algorithm, row.problem, grid_, static_cast<std::uint64_t>(bytes), most_messages};
}

BuiltSchedule ReplayedPrediction::build_first(const Row& row, double bytes, int segments, int most_messages) const {
    Problem first = row.problem;
    first.segments = segments;
    return build({row.algorithm, first}, bytes * segments / row.problem.segments, most_messages);
}

std::optional<double> ReplayedPrediction::of_beginning(const Row& row, double bytes, const Limit& limit) {
    constexpr int fewest_segments = 4;
    for (int segments = row.problem.segments / 2; segments >= fewest_segments; segments /= 2) {
        // Half of a pipeline tells more of the rest than a short beginning, and is worth twice as many messages.
        const bool half_of_all = 2 * segments >= row.problem.segments;
        const int most_sent = half_of_all ? std::max(most_messages_, 2 * few_messages(grid_.ranks())) : most_messages_;
        BuiltSchedule beginning = build_first(row, bytes, segments, most_sent);
        if (!beginning.is_short()) continue;
        const auto seconds = going_on_as(beginning, row, bytes, limit);
        // Half of all may share links too often; a quarter does so less, and still tells.
        if (seconds || !half_of_all || !replay_->gave_up()) return seconds;
    }
    return std::nullopt;
}

std::optional<double> ReplayedPrediction::going_on_as(BuiltSchedule& beginning, const Row& row, double bytes,
                                                      const Limit& limit) {
    const int all = row.problem.segments, segments = beginning.segments();
    const bool half_of_all = 2 * segments >= all;
    // That the pace may have. Of bursts formulas know so little that an uneven pace is better.
    const double change = half_of_all || without_bursts_ ? 0.3 : 0.05;
    const double filling = half_of_all ? 1 : 0.2;  // until the first segment has arrived, of the seconds at this pace
    // Where the formula may count after all, it must come to that.
    const double most = limit.otherwise > limit.seconds ? limit.seconds : none.seconds;
    const auto first = [&](int number) { return build_first(row, bytes, number, most_messages_); };
    BuiltSchedule first_half = first(segments / 2);
    const double quarter = first(segments / 4).seconds(*replay_).value_or(0);
    const double half = first_half.seconds(*replay_).value_or(0);
    const double pace_before = (half - quarter) / (segments / 2 - segments / 4);
    // Before the first segment has arrived, messages have more of the links than later on, or wait for other ranks.
    const double arrives = first(1).seconds(*replay_).value_or(0);
    if (!half_of_all && arrives > filling * segments * pace_before) return std::nullopt;
    const double least = half + (all - segments / 2) * pace_before / (1 + change);
    if (least > most) return least;
    const double seconds = beginning.seconds(*replay_).value_or(0);
    double pace = (seconds - half) / (segments - segments / 2);
    if (std::abs(pace - pace_before) > change * pace || arrives > filling * segments * pace) return std::nullopt;
    if (without_bursts_) {  // those have soon been used up
        const double without = beginning.seconds(*without_bursts_).value_or(0);
        const double half_without = first_half.seconds(*without_bursts_).value_or(0);
        pace = std::max(pace, (without - half_without) / (segments - segments / 2));
    }
    return seconds + (all - segments) * pace;
}

std::optional<double> ReplayedPrediction::of_sample(BuiltSchedule& schedule, double limit) {
    constexpr std::size_t fewest_kept = 16;  // of fewer the first ones, which wait for each other less, count too much
    const auto lanes = alike_exchanges(schedule.of(0));
    if (lanes.empty()) return std::nullopt;
    const std::size_t all = lanes.front().size();
    const std::size_t messages = static_cast<std::size_t>(grid_.ranks()) * schedule.of(0).sends();
    const std::size_t kept = std::max(fewest_kept, all * most_messages_ / messages);
    if (all <= kept || messages > most_sampled) return std::nullopt;
    const auto numbers = spread_sample(all, kept);
    std::vector<SizedProgram> programs;
    for (const SizedProgram& program : schedule.of_all()) {
        const auto exchanges = alike_exchanges(program);
        if (exchanges.empty() || exchanges.front().size() != all) return std::nullopt;
        programs.push_back(sample_of(program, exchanges, numbers));
    }
    const double share = static_cast<double>(kept) / static_cast<double>(all);
    const auto seconds = replay_->seconds(programs, limit * share);
    return seconds ? std::optional(*seconds / share) : std::nullopt;
}

}  // namespace coll_topo
