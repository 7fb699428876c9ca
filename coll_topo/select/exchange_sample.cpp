// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/exchange_sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace coll_topo {
namespace {

Exchanges exchanges_of(const SizedProgram& sized, const Lane& lane) {
    const Program& program = sized.program;
    constexpr double rounding = 0.01;   // of vectors that are not divided evenly
    constexpr double nearly_all = 0.9;  // rings both ways have steps with one message at the ends of their ways
    Exchanges exchanges;
    if (lane.window > 1) return exchanges;
    double bytes = 0;
    std::ptrdiff_t most = 0, sent = 0;
    for (std::int32_t step = lane.begin_step; step < lane.end_step; ++step) {
        const auto actions = program.actions_of(program.steps[step]);
        const auto sends = std::ranges::count_if(actions, is_send);
        if (sends != std::ranges::count_if(actions, is_receive)) return {};
        if (sends == 0) continue;
        for (const Action& action : actions) {
            if (!is_send(action)) continue;
            if (bytes == 0) bytes = sized.bytes_of(action);
            if (bytes == 0 || std::abs(sized.bytes_of(action) - bytes) > rounding * bytes) return {};
        }
        exchanges.push_back(step);
        most = std::max(most, sends);
        sent += sends;
    }
    const double of_all = static_cast<double>(most) * static_cast<double>(exchanges.size());
    return static_cast<double>(sent) >= nearly_all * of_all ? exchanges : Exchanges{};
}

}  // namespace

std::vector<Exchanges> alike_exchanges(const SizedProgram& sized) {
    std::vector<Exchanges> of_lanes;
    for (const Lane& lane : sized.program.lanes) {
        of_lanes.push_back(exchanges_of(sized, lane));
        if (of_lanes.back().empty() || of_lanes.back().size() != of_lanes.front().size()) return {};
    }
    return of_lanes;
}

SizedProgram sample_of(const SizedProgram& whole, std::span<const Exchanges> exchanges,
                       std::span<const std::size_t> numbers) {
    SizedProgram sample;
    Program& program = sample.program;
    program.lanes = whole.program.lanes;
    program.first_lanes_first = whole.program.first_lanes_first;
    for (std::size_t lane = 0; lane < exchanges.size(); ++lane) {
        program.lanes[lane].begin_step = static_cast<std::int32_t>(program.steps.size());
        for (const std::size_t number : numbers) {
            Step& step = program.steps.emplace_back(whole.program.steps[exchanges[lane][number]]);
            const auto begin = step.begin, end = step.end;
            step.begin = static_cast<std::int32_t>(program.actions.size());
            program.actions.insert(program.actions.end(), whole.program.actions.begin() + begin,
                                   whole.program.actions.begin() + end);
            sample.bytes.insert(sample.bytes.end(), whole.bytes.begin() + begin, whole.bytes.begin() + end);
            step.end = static_cast<std::int32_t>(program.actions.size());
        }
        program.lanes[lane].end_step = static_cast<std::int32_t>(program.steps.size());
    }
    sample.copied_late = whole.copied_late * numbers.size() / exchanges.front().size();
    return sample;
}

}  // namespace coll_topo
