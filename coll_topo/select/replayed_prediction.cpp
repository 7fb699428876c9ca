// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/replayed_prediction.hpp"

#include "coll_topo/replay/schedule_replay.hpp"
#include "coll_topo/schedule/message_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace coll_topo {
namespace {

constexpr int most_ranks = 256;
constexpr int most_messages = 3072;

/// The programs of all ranks, if they send few messages; else nothing.
std::optional<std::vector<Program>> short_schedule(const Algorithm& algorithm, const Grid& grid, const Problem& problem,
                                                   std::uint64_t bytes) {
    std::vector<Program> programs;
    int messages = 0;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        programs.push_back(algorithm.build(grid, problem, rank));
        const MessageSizes sizes(problem.collective, programs.back(), rank, grid.ranks(), bytes);
        for (const Action& action : programs.back().actions) messages += is_send(action) && sizes.bytes(action) > 0;
        if (messages > most_messages) return std::nullopt;
    }
    return programs;
}

std::optional<double> replay(const Algorithm& algorithm, const Grid& grid, const Problem& problem, double bytes) {
    const auto whole_bytes = static_cast<std::uint64_t>(bytes);
    const auto programs = short_schedule(algorithm, grid, problem, whole_bytes);
    if (!programs) return std::nullopt;
    return replayed_schedule_seconds(grid, problem.collective, *programs, whole_bytes);
}

/// Of a pipeline of many segments, by those that come first. Nothing if these do not show at what pace others follow.
std::optional<double> replay_beginning(const Algorithm& algorithm, const Grid& grid, const Problem& problem,
                                       double bytes) {
    constexpr int fewest_segments = 4;
    constexpr double steady = 0.05;
    const auto seconds_of_first = [&](int segments) {
        Problem first = problem;
        first.segments = segments;
        return replay(algorithm, grid, first, bytes * segments / problem.segments);
    };
    for (int segments = problem.segments / 2; segments >= fewest_segments; segments /= 2) {
        const std::optional<double> seconds = seconds_of_first(segments);
        if (!seconds) continue;
        const double half = seconds_of_first(segments / 2).value_or(0);
        const double quarter = seconds_of_first(segments / 4).value_or(0);
        const double pace = (*seconds - half) / (segments - segments / 2);
        const double pace_before = (half - quarter) / (segments / 2 - segments / 4);
        if (std::abs(pace - pace_before) > steady * pace) return std::nullopt;
        return *seconds + (problem.segments - segments) * pace;
    }
    return std::nullopt;
}

/// Numbers below `all`, ascending, spread evenly without falling into step with the sizes of axes.
std::vector<std::size_t> sample_of(std::size_t all, std::size_t count) {
    constexpr double golden_ratio = 0.6180339887498949;
    std::vector<std::size_t> sample;
    for (std::size_t i = 0; i < count; ++i) {
        const double position = (static_cast<double>(i) + 0.5) * golden_ratio;
        sample.push_back(static_cast<std::size_t>((position - std::floor(position)) * static_cast<double>(all)));
    }
    std::ranges::sort(sample);
    return sample;
}

/// The steps of a program of one lane, without a window, that send a message, and receive one, if all send as much and
/// no other step sends anything; else none.
std::vector<std::size_t> alike_exchanges(const Program& program, const MessageSizes& sizes) {
    std::vector<std::size_t> exchanges;
    if (program.lanes.size() != 1 || program.lanes[0].window > 1) return exchanges;
    std::uint64_t bytes = 0;
    for (std::size_t step = 0; step < program.steps.size(); ++step) {
        const auto actions = program.actions_of(program.steps[step]);
        const auto send = std::ranges::find_if(actions, is_send);
        if (send == actions.end()) continue;
        if (exchanges.empty()) bytes = sizes.bytes(*send);
        const bool alike = std::ranges::count_if(actions, is_send) == 1 &&
                           std::ranges::count_if(actions, is_receive) == 1 && sizes.bytes(*send) == bytes;
        if (!alike || bytes == 0) return {};
        exchanges.push_back(step);
    }
    return exchanges;
}

/// Of many steps in which every rank exchanges as much with others in turn, by a sample of them.
std::optional<double> replay_sample(const Algorithm& algorithm, const Grid& grid, const Problem& problem,
                                    std::uint64_t bytes) {
    const auto kept = static_cast<std::size_t>(most_messages / grid.ranks());
    std::vector<Program> programs;
    std::size_t all = 0;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        Program& program = programs.emplace_back(algorithm.build(grid, problem, rank));
        const auto exchanges = alike_exchanges(program, {problem.collective, program, rank, grid.ranks(), bytes});
        if (rank == 0) all = exchanges.size();
        if (exchanges.size() <= kept || exchanges.size() != all) return std::nullopt;
        std::vector<Step> steps;
        for (const std::size_t number : sample_of(all, kept)) steps.push_back(program.steps[exchanges[number]]);
        program.steps = std::move(steps);
        program.lanes[0].end_step = static_cast<std::int32_t>(kept);
    }
    const auto seconds = replayed_schedule_seconds(grid, problem.collective, programs, bytes);
    if (!seconds) return std::nullopt;
    return *seconds * static_cast<double>(all) / static_cast<double>(kept);
}

}  // namespace

bool can_replay_on(const Grid& grid) {
    const bool knows_costs = grid.costs().shared_message_time == 0 && grid.costs().link_burst == 0;
    return knows_costs && grid.hosts() > 1 && grid.ranks() <= most_ranks;
}

std::optional<double> replayed_prediction(const Algorithm& algorithm, const Grid& grid, const Problem& problem,
                                          double bytes) {
    if (!can_replay_on(grid) || bytes < 1) return std::nullopt;
    // Its root has to receive all pieces, which takes time that is counted for senders alone.
    if (problem.collective == Collective::gather) return std::nullopt;
    const std::optional<double> seconds = replay(algorithm, grid, problem, bytes);
    if (seconds) return seconds;
    if (problem.segments > 1) return replay_beginning(algorithm, grid, problem, bytes);
    return replay_sample(algorithm, grid, problem, static_cast<std::uint64_t>(bytes));
}

}  // namespace coll_topo
