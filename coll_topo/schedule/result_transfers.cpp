// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/result_transfers.hpp"

#include <algorithm>
#include <ranges>

namespace coll_topo {
namespace {

/// Goes through a program backwards, and knows of each block whether it holds the result at that time.
class ResultSearch {
public:
    explicit ResultSearch(const Program& program)
        : program_(program), found_(program.actions.size()), output_(program.blocks, true) {
        scratch_.assign(program.scratch_blocks, false);
    }

    std::vector<bool> run() {
        for (const Lane& lane : program_.lanes) {
            for (const Step& step : std::views::reverse(program_.steps_of(lane))) pass(program_.actions_of(step));
        }
        return std::move(found_);
    }

private:
    void pass(std::span<const Action> actions) {
        const auto backwards = std::views::reverse(actions);
        for (const Action& action : backwards) {
            if (!is_transfer(action)) undo_local(action);
        }
        // Of two receives of a step into the same block, the first is not the one whose value stays.
        for (const Action& action : backwards) {
            if (is_receive(action)) undo_receive(action);
        }
        for (const Action& action : backwards) {
            if (is_send(action)) note(action, all_results(action));
        }
    }

    void undo_local(const Action& action) {
        for (int i = 0; i < action.count; ++i) {
            const bool was_result = is_result(action.target, action.at + i);
            set(action.target, action.at + i, false);
            if (action.kind == ActionKind::copy && was_result) set(action.buffer, action.first + i, true);
        }
    }

    void undo_receive(const Action& action) {
        if (action.kind == ActionKind::receive) note(action, all_results(action));
        for (int i = 0; i < action.count; ++i) set(action.buffer, action.first + i, false);
    }

    bool all_results(const Action& action) const {
        return std::ranges::all_of(std::views::iota(action.first, action.first + action.count),
                                   [&](int block) { return is_result(action.buffer, block); });
    }

    bool is_result(Buffer buffer, int block) const {
        if (buffer == Buffer::input) return false;
        return buffer == Buffer::output ? output_[block] : scratch_[block];
    }
    void set(Buffer buffer, int block, bool value) {
        if (buffer == Buffer::output) output_[block] = value;
        if (buffer == Buffer::scratch) scratch_[block] = value;
    }
    void note(const Action& action, bool value) { found_[&action - program_.actions.data()] = value; }

    const Program& program_;
    std::vector<bool> found_;  // by action
    std::vector<bool> output_, scratch_;
};

}  // namespace

std::vector<bool> transfers_of_results(const Program& program, Collective collective) {
    if (collective != Collective::allreduce) return std::vector<bool>(program.actions.size());
    return ResultSearch(program).run();
}

}  // namespace coll_topo
