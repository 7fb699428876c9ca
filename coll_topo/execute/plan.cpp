// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/plan.hpp"

#include "coll_topo/execute/single_lane.hpp"
#include "coll_topo/schedule/late_copies.hpp"
#include "coll_topo/schedule/result_transfers.hpp"
#include "coll_topo/schedule/scatters_in_output.hpp"
#include "coll_topo/schedule/scratch_in_buffer.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

namespace coll_topo {
namespace {

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

std::int32_t longest_message_of(const Program& program) {
    std::int32_t longest = 0;
    for (const Action& action : program.actions) {
        if (is_transfer(action)) longest = std::max(longest, action.count);
    }
    return longest;
}

/// Where scratch is `output`, the last steps of a program may only copy what is there already.
std::ptrdiff_t steps_in_place_of(const Program& program, std::optional<Buffer> scratch_in) {
    const auto delivers = [&](const Step& step) {
        return std::ranges::all_of(program.actions_of(step), [](const Action& action) {
            return action.kind == ActionKind::copy && action.buffer == Buffer::scratch &&
                   action.target == Buffer::output;
        });
    };
    std::ptrdiff_t steps = std::ssize(program.steps);
    while (scratch_in == Buffer::output && steps > 0 && delivers(program.steps[steps - 1])) --steps;
    return steps;
}

}  // namespace

Plan::Plan(Program program_, Collective collective_, int ranks_, int rank_, std::size_t segment_bytes_)
    : number(next_number()),
      program(std::move(program_)),
      collective(collective_),
      ranks(ranks_),
      rank(rank_),
      segment_bytes(segment_bytes_),
      layout(collective, program, ranks) {
    for (const Step& step : program.steps) {
        const auto actions = program.actions_of(step);
        const auto transfers = std::ranges::count_if(actions, is_transfer);
        largest_step = std::max(largest_step, static_cast<int>(transfers));
    }
    for (const Lane& lane : program.lanes) {
        steps_at_once =
            std::max(steps_at_once, std::min(lane.end_step - lane.begin_step, lane.most_receives_ahead() + 1));
    }
    longest_message = longest_message_of(program);
    reduces =
        std::ranges::any_of(program.actions, [](const Action& a) { return a.kind == ActionKind::receive_reduce; });
    single_lane = is_single_lane(program);
    one_message_each_way = has_one_message_each_way(program);
    scratch_in = scratch_in_buffer(program, collective, ranks, rank);
    steps_in_place = steps_in_place_of(program, scratch_in);
    own_piece_in_buffer = coll_topo::own_piece_in_buffer(program, collective, ranks, rank);
    untouched = find_untouched_operands(program, collective);
    piece_in_output = scatters_in_output(program, collective, ranks, rank, untouched);
    own_piece_late = may_copy_own_piece_late(program, collective, ranks, rank);
    results_moved = transfers_of_results(program, collective);
    tables.fit(*this);
}

void PlanTables::fit(const Plan& plan) {
    staging.needed = plan.reduces;
    staging.elements = unknown;
    staging.begin.assign(plan.program.lanes.size() * 2 + 1, 0);
    if (plan.single_lane) requests.assign(plan.program.actions.size(), nullptr);
    scratch_table.elements = unknown;
    const bool may_differ =
        own_piece_buffer(plan.collective).has_value() && plan.collective != Collective::reduce_scatter_block;
    if (may_differ) piece_table.resize(plan.program.blocks + 1);
    if (may_differ || plan.layout.packs()) scratch_table.begin.resize(plan.program.scratch_blocks + 1);
}

}  // namespace coll_topo
