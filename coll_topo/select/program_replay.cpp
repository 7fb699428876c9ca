// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/program_replay.hpp"

#include "coll_topo/algorithm/cost/message_timeline.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace coll_topo {
namespace {

class Replay {
public:
    Replay(const Grid& grid, const std::vector<Program>& programs, double bytes)
        : programs_(programs), bytes_(bytes), timeline_(grid), ranks_(programs.size()) {
        for (std::size_t rank = 0; rank < programs.size(); ++rank) {
            if (!programs[rank].lanes.empty()) ranks_[rank].step = programs[rank].lanes[0].begin_step;
        }
    }

    /// Round by round: what a rank may send is what follows from messages of earlier rounds.
    double seconds() {
        for (bool moved = true; moved;) {
            moved = false;
            for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) moved |= advance(rank);
            timeline_.end_step();
            for (const Way& way : sent_) ++arrived_[way];
            sent_.clear();
        }
        return timeline_.latest();
    }

private:
    using Way = std::pair<std::int32_t, std::int32_t>;  // from, to
    struct Rank {
        std::int32_t step = 0;
        bool has_sent = false;  // in this step
    };

    bool ended(int rank) const {
        const auto& lanes = programs_[rank].lanes;
        return lanes.empty() || ranks_[rank].step == lanes[0].end_step;
    }

    bool advance(int rank) {
        bool moved = false;
        for (Rank& at = ranks_[rank]; !ended(rank); ++at.step, at.has_sent = false) {
            const auto actions = programs_[rank].actions_of(programs_[rank].steps[at.step]);
            if (!at.has_sent) moved |= send(rank, actions);
            at.has_sent = true;
            if (!takes_messages(rank, actions)) return moved;
            moved = true;
        }
        return moved;
    }

    bool send(int rank, std::span<const Action> actions) {
        const double block = bytes_ / std::max(1, programs_[rank].blocks);
        for (const Action& action : actions) {
            if (!is_send(action)) continue;
            timeline_.message(rank, action.peer, action.count * block);
            sent_.emplace_back(rank, action.peer);
        }
        return !sent_.empty();
    }

    /// A step has one message from each peer at most.
    bool takes_messages(int rank, std::span<const Action> actions) {
        const auto is_there = [&](const Action& action) {
            return !is_receive(action) || arrived_[{action.peer, rank}] > 0;
        };
        if (!std::ranges::all_of(actions, is_there)) return false;
        for (const Action& action : actions) {
            if (is_receive(action)) --arrived_[{action.peer, rank}];
        }
        return true;
    }

    const std::vector<Program>& programs_;
    const double bytes_;
    MessageTimeline timeline_;
    std::vector<Rank> ranks_;
    std::vector<Way> sent_;       // in this round
    std::map<Way, int> arrived_;  // in earlier ones, and not taken
};

}  // namespace

bool can_be_replayed(const std::vector<Program>& programs) {
    return std::ranges::all_of(programs, [](const Program& program) { return program.lanes.size() <= 1; });
}

double replayed_seconds(const Grid& grid, const std::vector<Program>& programs, double bytes) {
    return Replay(grid, programs, bytes).seconds();
}

}  // namespace coll_topo
