// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/result_transfers.hpp"

#include <algorithm>
#include <ranges>

namespace coll_topo {
namespace {

/// Goes through each lane backwards, and knows of each block whether it holds at that time what ends as the result;
/// then forwards, and knows what is copied from such blocks.
class ResultSearch {
public:
    explicit ResultSearch(const Program& program)
        : program_(program), found_(program.actions.size()), output_(program.blocks, true) {
        scratch_.assign(program.scratch_blocks, false);
    }

    std::vector<bool> run() {
        for (const Lane& lane : program_.lanes) {
            for (const Step& step : std::views::reverse(program_.steps_of(lane))) pass(program_.actions_of(step));
            for (const Step& step : program_.steps_of(lane)) follow(program_.actions_of(step));
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
    }

    void follow(std::span<const Action> actions) {
        for (const Action& action : actions) {
            if (is_send(action)) note(action, all_results(action));
        }
        for (const Action& action : actions) {
            if (is_receive(action)) redo(action, action.buffer, action.first);
        }
        for (const Action& action : actions) {
            if (!is_transfer(action)) redo(action, action.target, action.at);
        }
    }

    void undo_local(const Action& action) {
        for (int i = 0; i < action.count; ++i) {
            const bool was_result = is_result(action.target, action.at + i);
            written_.push_back(was_result);
            set(action.target, action.at + i, false);
            if (action.kind == ActionKind::copy && was_result) set(action.buffer, action.first + i, true);
        }
    }

    void undo_receive(const Action& action) {
        if (action.kind == ActionKind::receive) note(action, all_results(action));
        for (int i = 0; i < action.count; ++i) {
            written_.push_back(is_result(action.buffer, action.first + i));
            set(action.buffer, action.first + i, false);
        }
    }

    /// Undone last, redone first.
    void redo(const Action& action, Buffer target, int at) {
        for (int i = action.count - 1; i >= 0; --i) {
            const bool copied = action.kind == ActionKind::copy && is_result(action.buffer, action.first + i);
            set(target, at + i, written_.back() || copied);
            written_.pop_back();
        }
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
    std::vector<bool> written_;  // by block that was undone: whether it held the result then
};

}  // namespace

std::vector<bool> transfers_of_results(const Program& program, Collective collective) {
    if (collective != Collective::allreduce) return std::vector<bool>(program.actions.size());
    return ResultSearch(program).run();
}

}  // namespace coll_topo
