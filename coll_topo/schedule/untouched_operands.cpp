// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/untouched_operands.hpp"

#include "coll_topo/schedule/block_layout.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace coll_topo {
namespace {

class Finder {
public:
    Finder(const Program& program, Collective collective)
        : program_(program),
          whole_(vector_form(collective) == VectorForm::whole),
          vector_block_(whole_ ? program.blocks : program.scratch_blocks, UntouchedOperands::none),
          found_{std::vector(program.actions.size(), UntouchedOperands::none),
                 std::vector<bool>(vector_block_.size(), false)} {
        // Whole vectors are where the program works when it begins.
        if (whole_) std::iota(vector_block_.begin(), vector_block_.end(), 0);
    }

    UntouchedOperands run() {
        for (const Step& step : program_.steps) {
            // Sends read what stood before the step.
            for (const Action& action : program_.actions_of(step)) {
                if (is_send(action)) read(action);
            }
            for (const Action& action : program_.actions_of(step)) {
                if (!is_send(action)) visit(action);
            }
        }
        return std::move(found_);
    }

    /// The same if what is still untouched at the end is the result.
    UntouchedOperands run_and_keep_rest() {
        UntouchedOperands found = run();
        for (std::size_t block = 0; block < vector_block_.size(); ++block) {
            if (vector_block_[block] != UntouchedOperands::none) found.needed[block] = true;
        }
        return found;
    }

private:
    void visit(const Action& action) {
        if (brings_operands(action)) return;
        if (action.kind != ActionKind::receive) read(action);
        if (action.kind == ActionKind::reduce) need(action.target, action.at, action.count);
        const bool received = is_receive(action);
        touch(received ? action.buffer : action.target, received ? action.first : action.at, action.count);
    }

    bool brings_operands(const Action& action) {
        const bool brings = !whole_ && action.kind == ActionKind::copy && action.buffer == Buffer::input &&
                            action.target == Buffer::scratch;
        if (!brings) return false;
        std::iota(vector_block_.begin() + action.at, vector_block_.begin() + action.at + action.count, action.first);
        found(action) = UntouchedOperands::brings;
        return true;
    }

    /// Notes it if the blocks of an action are all untouched and lie together in the vector.
    void read(const Action& action) {
        if (!is_where_it_works(action.buffer)) return;
        std::int32_t expected = vector_block_[action.first];
        const auto all = blocks(action.first, action.count);
        const bool untouched = expected != UntouchedOperands::none &&
                               std::ranges::all_of(all, [&](std::int32_t block) { return block == expected++; });
        if (untouched)
            found(action) = all.front();
        else
            need(action.buffer, action.first, action.count);
    }

    /// Untouched blocks of a range must be where the program works.
    void need(Buffer buffer, std::int32_t first, std::int32_t count) {
        if (!is_where_it_works(buffer)) return;
        for (std::int32_t block = first; block < first + count; ++block) {
            if (vector_block_[block] != UntouchedOperands::none) found_.needed[block] = true;
        }
        touch(buffer, first, count);
    }

    void touch(Buffer buffer, std::int32_t first, std::int32_t count) {
        if (is_where_it_works(buffer)) std::ranges::fill(blocks(first, count), UntouchedOperands::none);
    }

    bool is_where_it_works(Buffer buffer) const { return buffer == (whole_ ? Buffer::output : Buffer::scratch); }
    std::int32_t& found(const Action& action) { return found_.first_block[&action - program_.actions.data()]; }
    std::span<std::int32_t> blocks(std::int32_t first, std::int32_t count) {
        return {vector_block_.data() + first, static_cast<std::size_t>(count)};
    }

    const Program& program_;
    const bool whole_;
    std::vector<std::int32_t> vector_block_;  // by block where the program works: what stands there untouched, or none
    UntouchedOperands found_;
};

}  // namespace

UntouchedOperands find_untouched_operands(const Program& program, Collective collective) {
    // One rank alone has its operands as the result.
    if (!combines(collective) || std::ranges::none_of(program.actions, is_transfer)) return {};
    Finder finder(program, collective);
    return collective == Collective::scan ? finder.run_and_keep_rest() : finder.run();
}

}  // namespace coll_topo
