// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/independence.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/verify/memory.hpp"
#include "coll_topo/verify/walk.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace coll_topo::verify {
namespace {

class IndependenceCheck {
public:
    IndependenceCheck(const Program& program, const Memory& memory);

    // What is wrong with a step and those before it in its lane, or "".
    std::string step(const Lane& lane, std::int32_t step);

private:
    // Comparing all pairs of messages takes too long for steps with more of them, as a linear alltoall has.
    static constexpr std::int32_t few_messages = 16;

    std::string within(std::int32_t step);
    bool messages_meet(std::int32_t step);
    std::string early(const Step& before, const Step& step) const;
    std::string overtakes(const Step& before, const Step& step) const;
    std::string together(const Step& earlier, const Step& later) const;
    std::string first_of(Range a, Range b) const { return memory_.name(std::max(a.begin, b.begin)); }
    std::string pair_in_step(std::int32_t i, std::int32_t j, bool reductions_wait) const;

    const Program& program_;
    const Memory& memory_;
    std::vector<Range> reads_;  // by action, as it is compared with many others
    std::vector<Range> writes_;
    std::vector<std::int32_t> sent_;  // by location, the step in which it was last sent
    std::vector<std::int32_t> received_;
};

IndependenceCheck::IndependenceCheck(const Program& program, const Memory& memory)
    : program_(program), memory_(memory), sent_(memory.locations(), -1), received_(memory.locations(), -1) {
    reads_.reserve(program.actions.size());
    writes_.reserve(program.actions.size());
    for (const Action& action : program.actions) {
        reads_.push_back(memory.reads(action));
        writes_.push_back(memory.writes(action));
    }
}

// Whether two messages of a step share a location, other than two that are sent.
bool IndependenceCheck::messages_meet(std::int32_t step) {
    for (std::int32_t i = program_.steps[step].begin; i < program_.steps[step].end; ++i) {
        if (!is_transfer(program_.actions[i])) continue;
        for (int location = reads_[i].begin; location < reads_[i].end; ++location) {
            if (received_[location] == step) return true;
            sent_[location] = step;
        }
        for (int location = writes_[i].begin; location < writes_[i].end; ++location) {
            if (received_[location] == step || sent_[location] == step) return true;
            received_[location] = step;
        }
    }
    return false;
}

// Copies and reductions between buffers run one by one after all messages, so only messages can meet each other.
std::string IndependenceCheck::within(std::int32_t index) {
    const Step& step = program_.steps[index];
    const bool compare = step.end - step.begin <= few_messages || messages_meet(index);
    for (std::int32_t i = step.begin; i < step.end; ++i) {
        if (!is_transfer(program_.actions[i])) {
            if (!intersect(reads_[i], writes_[i])) continue;
            return "source and target of a copy or reduce share " + first_of(reads_[i], writes_[i]);
        }
        for (std::int32_t j = step.begin; compare && j < i; ++j) {
            std::string wrong = pair_in_step(j, i, step.sends_overlap_receives);
            if (!wrong.empty()) return wrong;
        }
    }
    return {};
}

std::string IndependenceCheck::pair_in_step(std::int32_t i, std::int32_t j, bool reductions_wait) const {
    const Action &one = program_.actions[i], &other = program_.actions[j];
    if (!is_transfer(one) || (is_send(one) && is_send(other))) return {};
    if (is_receive(one) && is_receive(other)) {
        const bool both_reduce = one.kind == ActionKind::receive_reduce && other.kind == ActionKind::receive_reduce;
        if (both_reduce || !intersect(writes_[i], writes_[j])) return {};
        return "two messages arrive in " + first_of(writes_[i], writes_[j]) + ", from rank " +
               std::to_string(one.peer) + " and rank " + std::to_string(other.peer);
    }
    const auto [send, receive] = is_send(one) ? std::pair(i, j) : std::pair(j, i);
    const Action &sent = program_.actions[send], &received = program_.actions[receive];
    const Range a = reads_[send], b = writes_[receive];
    if (!intersect(a, b)) return {};
    if (received.kind == ActionKind::receive) {
        return "receives from rank " + std::to_string(received.peer) + " into " + first_of(a, b) +
               " while sending it to rank " + std::to_string(sent.peer);
    }
    if (reductions_wait) return {};
    return "reduces the message of rank " + std::to_string(received.peer) + " into " + first_of(a, b) +
           " while sending it to rank " + std::to_string(sent.peer) + "; set sends_overlap_receives";
}

// What is received to be reduced waits outside the buffers for its step, so only plain receives can come too early.
std::string IndependenceCheck::early(const Step& before, const Step& step) const {
    for (std::int32_t i = step.begin; i < step.end; ++i) {
        if (program_.actions[i].kind != ActionKind::receive) continue;
        for (std::int32_t other = before.begin; other < before.end; ++other) {
            for (const Range touched : {reads_[other], writes_[other]}) {
                if (!intersect(writes_[i], touched)) continue;
                return "the early receive from rank " + std::to_string(program_.actions[i].peer) + " goes to " +
                       first_of(writes_[i], touched) + ", which a step before uses; lower receives_ahead";
            }
        }
    }
    return {};
}

std::string IndependenceCheck::overtakes(const Step& before, const Step& step) const {
    for (std::int32_t i = step.begin; i < step.end; ++i) {
        for (std::int32_t other = before.begin; other < before.end; ++other) {
            if (!is_send(program_.actions[other]) || !intersect(reads_[other], writes_[i])) continue;
            return "changes " + first_of(reads_[other], writes_[i]) +
                   " while a step before may be sending it to rank " + std::to_string(program_.actions[other].peer) +
                   "; lower passes_sends";
        }
    }
    return {};
}

std::string IndependenceCheck::together(const Step& earlier, const Step& later) const {
    for (std::int32_t i = later.begin; i < later.end; ++i) {
        for (std::int32_t other = earlier.begin; other < earlier.end; ++other) {
            if (!intersect(reads_[i], writes_[other]) && !intersect(writes_[i], writes_[other]) &&
                !intersect(writes_[i], reads_[other])) {
                continue;
            }
            return "uses blocks of an earlier step that the window lets be in flight with it; narrow the window";
        }
    }
    return {};
}

std::string IndependenceCheck::step(const Lane& lane, std::int32_t step) {
    const Step& now = program_.steps[step];
    std::string wrong = within(step);
    const std::int32_t reach = step - lane.begin_step;
    for (int back = 1; back <= std::min<int>(now.receives_ahead, reach) && wrong.empty(); ++back) {
        wrong = early(program_.steps[step - back], now);
    }
    for (int back = 1; back <= std::min<int>(now.passes_sends, reach) && wrong.empty(); ++back) {
        wrong = overtakes(program_.steps[step - back], now);
    }
    const std::int32_t oldest = std::max(lane.begin_step, step - (lane.window - 1));
    for (std::int32_t earlier = oldest; earlier < step && wrong.empty(); ++earlier) {
        wrong = together(program_.steps[earlier], now);
    }
    return wrong;
}

// Which lane writes each location. What one lane writes no other may read or write, since nothing orders the lanes.
class Writers {
public:
    explicit Writers(const Memory& memory) : memory_(memory), writer_(memory.locations(), -1) {}

    std::string write(int lane, Range range) {
        std::string wrong = meet("writes ", lane, range);
        if (wrong.empty()) std::fill(writer_.begin() + range.begin, writer_.begin() + range.end, lane);
        return wrong;
    }
    std::string read(int lane, Range range) const { return meet("reads ", lane, range); }

private:
    std::string meet(const char* does, int lane, Range range) const {
        for (int location = range.begin; location < range.end; ++location) {
            if (writer_[location] < 0 || writer_[location] == lane) continue;
            return does + memory_.name(location) + ", which lane " + std::to_string(writer_[location]) +
                   " writes; lanes must be independent";
        }
        return {};
    }

    const Memory& memory_;
    std::vector<int> writer_;
};

Expected<void> check_lanes(const Program& program, const Memory& memory, int rank) {
    Writers writers(memory);
    RETURN_IF_ERROR(check_steps(program, rank, [&](int lane, std::int32_t step) {
        std::string wrong;
        for (const Action& action : program.actions_of(program.steps[step])) {
            if (wrong.empty()) wrong = writers.write(lane, memory.writes(action));
        }
        return wrong;
    }));
    return check_steps(program, rank, [&](int lane, std::int32_t step) {
        std::string wrong;
        for (const Action& action : program.actions_of(program.steps[step])) {
            if (wrong.empty()) wrong = writers.read(lane, memory.reads(action));
        }
        return wrong;
    });
}

}  // namespace

Expected<void> check_independence(Collective collective, const Program& program, int rank, int ranks) {
    const Memory memory(collective, program, rank, ranks);
    IndependenceCheck check(program, memory);
    const auto steps =
        check_steps(program, rank, [&](int lane, std::int32_t step) { return check.step(program.lanes[lane], step); });
    if (!steps || program.lanes.size() < 2) return steps;
    return check_lanes(program, memory, rank);
}

}  // namespace coll_topo::verify
