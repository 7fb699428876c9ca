// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/data_flow.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/verify/walk.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace coll_topo::verify {

DataFlow::DataFlow(const Schedule& schedule, const std::vector<Memory>& memories, const Matching& matching, Goal& goal)
    : schedule_(schedule),
      memories_(memories),
      matching_(matching),
      goal_(goal),
      contributions_(goal.contributions()),
      passage_(schedule, memories, matching),
      in_flight_(matching.messages.size()) {
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        values_.emplace_back(memories[i].locations(), Contributions::nothing);
        goal.set_start(static_cast<int>(i), memories[i], values_.back());
        states_.emplace_back(schedule[i].steps.size());
        for (std::size_t lane = 0; lane < schedule[i].lanes.size(); ++lane) {
            const Lane& part = schedule[i].lanes[lane];
            for (std::int32_t step = part.begin_step; step < part.end_step; ++step) {
                states_[i][step].lane = static_cast<std::int32_t>(lane);
            }
        }
    }
}

Expected<void> DataFlow::run() {
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(schedule_.size()); ++rank) {
        for (const Lane& lane : schedule_[rank].lanes) {
            if (lane.begin_step == lane.end_step) continue;
            const StepOfRank first{rank, lane.begin_step};
            if (const std::string wrong = post(first); !wrong.empty()) return failure(place_of(first) + wrong);
        }
    }
    while (!ready_.empty()) {
        const StepOfRank at = ready_.back();
        ready_.pop_back();
        RETURN_IF_ERROR(advance(at));
    }
    RETURN_IF_ERROR(check_progress());
    return check_result();
}

Expected<void> DataFlow::advance(StepOfRank at) {
    if (const std::string wrong = finish(at); !wrong.empty()) return failure(place_of(at) + wrong);
    StepState& state = states_[at.rank][at.step];
    state.done = true;
    const StepOfRank next{at.rank, at.step + 1};
    if (next.step == schedule_[at.rank].lanes[state.lane].end_step) return {};
    if (const std::string wrong = post(next); !wrong.empty()) return failure(place_of(next) + wrong);
    return {};
}

std::string DataFlow::post(StepOfRank at) {
    const Program& program = schedule_[at.rank];
    StepState& state = states_[at.rank][at.step];
    state.posted = true;
    for (std::int32_t i = program.steps[at.step].begin; i < program.steps[at.step].end; ++i) {
        const std::int32_t message = matching_.message_of[at.rank][i];
        if (message < 0) continue;
        ++state.open_messages;
        if (program.actions[i].kind != ActionKind::send) continue;
        if (std::string wrong = send(at.rank, program.actions[i], message); !wrong.empty()) return wrong;
    }
    if (state.open_messages == 0) ready_.push_back(at);
    passing_.clear();
    for (std::int32_t i = program.steps[at.step].begin; i < program.steps[at.step].end; ++i) {
        const std::int32_t message = matching_.message_of[at.rank][i];
        if (message >= 0) passage_.post(message, passing_);
    }
    for (const std::int32_t message : passing_) pass(message);
    return {};
}

void DataFlow::pass(std::int32_t message) {
    for (const MessageEnd& end : {matching_.messages[message].sender, matching_.messages[message].receiver}) {
        if (--states_[end.rank][end.step].open_messages == 0) ready_.push_back({end.rank, end.step});
    }
}

std::string DataFlow::finish(StepOfRank at) {
    const Program& program = schedule_[at.rank];
    const Step& step = program.steps[at.step];
    for (std::int32_t i = step.begin; i < step.end; ++i) {
        const Action& action = program.actions[i];
        if (action.kind != ActionKind::receive && action.kind != ActionKind::receive_reduce) continue;
        std::string wrong = receive(at.rank, action, matching_.message_of[at.rank][i]);
        if (!wrong.empty()) return wrong;
    }
    for (const Action& action : program.actions_of(step)) {
        if (action.kind != ActionKind::copy && action.kind != ActionKind::reduce) continue;
        if (std::string wrong = copy_or_reduce(at.rank, action); !wrong.empty()) return wrong;
    }
    return {};
}

std::string DataFlow::send(int rank, const Action& action, std::int32_t message) {
    const Range range = memories_[rank].reads(action);
    if (std::string wrong = holds_nothing(rank, range, "sends "); !wrong.empty()) return wrong;
    const Value* const values = values_[rank].data();
    in_flight_[message].assign(values + range.begin, values + range.end);
    return {};
}

std::string DataFlow::receive(int rank, const Action& action, std::int32_t message) {
    const std::vector<Value> arrived = std::exchange(in_flight_[message], {});
    const Range range = memories_[rank].writes(action);
    if (action.kind == ActionKind::receive) {
        std::ranges::copy(arrived, values_[rank].begin() + range.begin);
        return {};
    }
    for (int i = 0; i < action.count; ++i) {
        std::string wrong = fold(rank, range.begin + i, arrived[i], action.operand);
        if (!wrong.empty()) return "from rank " + std::to_string(action.peer) + ", " + wrong;
    }
    return {};
}

std::string DataFlow::copy_or_reduce(int rank, const Action& action) {
    const Memory& memory = memories_[rank];
    const Range from = memory.reads(action), to = memory.writes(action);
    const bool copies = action.kind == ActionKind::copy;
    if (std::string wrong = holds_nothing(rank, from, copies ? "copies " : "reduces "); !wrong.empty()) return wrong;
    for (int i = 0; i < action.count; ++i) {
        const int source = from.begin + i, target = to.begin + i;
        if (memory.vector_block(source) != memory.vector_block(target)) {
            return (copies ? "copies " : "reduces ") + memory.name(source) + ", which is vector block " +
                   std::to_string(memory.vector_block(source)) + ", into " + memory.name(target) +
                   ", which is vector block " + std::to_string(memory.vector_block(target));
        }
        if (copies) {
            values_[rank][target] = values_[rank][source];
        } else if (std::string wrong = fold(rank, target, values_[rank][source], action.operand); !wrong.empty()) {
            return wrong;
        }
    }
    return {};
}

std::string DataFlow::fold(int rank, int location, Value received, Operand operand) {
    Value& target = values_[rank][location];
    const bool left = operand == Operand::left;
    const Value both = left ? contributions_.combine(received, target) : contributions_.combine(target, received);
    if (both != Contributions::nothing) {
        target = both;
        return {};
    }
    const std::string name = memories_[rank].name(location);
    if (target == Contributions::nothing) return "reduces into " + name + ", which holds nothing yet";
    return "reduces " + contributions_.text(received) + " into " + name + " from the " + (left ? "left" : "right") +
           ", which holds " + contributions_.text(target) +
           ": a contribution counts twice, or the order of ranks is lost";
}

std::string DataFlow::holds_nothing(int rank, Range range, const char* use) {
    for (int location = range.begin; location < range.end; ++location) {
        if (values_[rank][location] != Contributions::nothing) continue;
        return use + memories_[rank].name(location) + ", which holds nothing yet";
    }
    return {};
}

Expected<void> DataFlow::check_progress() const {
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(schedule_.size()); ++rank) {
        for (std::int32_t step = 0; step < static_cast<std::int32_t>(states_[rank].size()); ++step) {
            const StepState& state = states_[rank][step];
            if (!state.posted || state.done) continue;
            return failure(place_of({rank, step}) + "deadlock: " + what_holds_up({rank, step}));
        }
    }
    return {};
}

// Names the first message of a stuck step whose other side is never posted, and where that rank is stuck; or, if all
// are posted, the first that cannot pass.
std::string DataFlow::what_holds_up(StepOfRank at) const {
    const Program& program = schedule_[at.rank];
    std::int32_t stuck_action = -1;
    for (std::int32_t i = program.steps[at.step].begin; i < program.steps[at.step].end; ++i) {
        if (matching_.message_of[at.rank][i] < 0 || passage_.passed(matching_.message_of[at.rank][i])) continue;
        if (stuck_action < 0) stuck_action = i;
        const MessageEnd partner = matching_.partner(at.rank, i);
        const StepState& other = states_[partner.rank][partner.step];
        if (other.posted) continue;
        const std::int32_t first = schedule_[partner.rank].lanes[other.lane].begin_step;
        std::int32_t stuck = first;
        while (states_[partner.rank][stuck].done) ++stuck;
        const bool sends = program.actions[i].kind == ActionKind::send;
        return std::string("waits to ") + (sends ? "send to rank " : "receive from rank ") +
               std::to_string(partner.rank) + ", which would " + (sends ? "receive" : "send") + " in its step " +
               std::to_string(partner.step - first) + " but is stuck in step " + std::to_string(stuck - first);
    }
    return cut_message(at.rank, stuck_action);
}

std::string DataFlow::cut_message(int rank, std::int32_t action) const {
    const auto text = [&](std::int32_t message) {
        const Message& both = matching_.messages[message];
        return "the message from rank " + std::to_string(both.sender.rank) + " to rank " +
               std::to_string(both.receiver.rank);
    };
    const std::int32_t message = matching_.message_of[rank][action];
    return text(message) + ", if cut into segments, waits for " + text(passage_.blocked_by(message)) +
           ", which cannot pass before it";
}

std::string DataFlow::place_of(StepOfRank at) const {
    const std::int32_t lane = states_[at.rank][at.step].lane;
    return place(at.rank, lane, at.step - schedule_[at.rank].lanes[lane].begin_step);
}

Expected<void> DataFlow::check_result() const {
    for (std::size_t i = 0; i < schedule_.size(); ++i) {
        const int rank = static_cast<int>(i);
        const std::string missing = goal_.missing(rank, memories_[i], values_[i]);
        if (!missing.empty()) return failure("rank " + std::to_string(rank) + ": " + missing);
    }
    return {};
}

}  // namespace coll_topo::verify
