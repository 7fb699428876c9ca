// SPDX-License-Identifier: BSD-3-Clause
#include "test/algorithm/rounds.hpp"

#include <algorithm>
#include <set>

namespace coll_topo::test {
namespace {

// Where a rank is: its step, and the peers it still has to send to and receive from there.
struct Position {
    std::size_t step = 0;
    std::set<int> sends;
    std::set<int> receives;

    bool open() const { return !sends.empty() || !receives.empty(); }

    // Goes to the next step with messages, or the end.
    void reach(const Program& program) {
        for (; step < program.steps.size() && !open(); ++step) {
            for (const Action& action : program.actions_of(program.steps[step])) {
                if (is_transfer(action)) (action.kind == ActionKind::send ? sends : receives).insert(action.peer);
            }
        }
    }
};

// Passes every message that both sides have reached. A message that follows on it waits for the next round.
bool pass(std::vector<Position>& positions) {
    bool moved = false;
    for (int rank = 0; rank < static_cast<int>(positions.size()); ++rank) {
        moved |= std::erase_if(positions[rank].sends,
                               [&](int peer) { return positions[peer].receives.erase(rank) > 0; }) > 0;
    }
    return moved;
}

}  // namespace

int rounds(const Schedule& schedule) {
    std::vector<Position> positions(schedule.size());
    for (int round = 0;; ++round) {
        bool open = false;
        for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
            positions[rank].reach(schedule[rank]);
            open = open || positions[rank].open();
        }
        if (!open) return round;
        if (!pass(positions)) return -1;
    }
}

int message_steps(const Program& program) {
    return static_cast<int>(std::ranges::count_if(
        program.steps, [&](const Step& step) { return std::ranges::any_of(program.actions_of(step), is_transfer); }));
}

int messages_sent(const Schedule& schedule) {
    std::ptrdiff_t messages = 0;
    for (const Program& program : schedule) messages += std::ranges::count_if(program.actions, is_send);
    return static_cast<int>(messages);
}

}  // namespace coll_topo::test
