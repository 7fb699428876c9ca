// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/time_sharing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace coll_topo {
namespace {

constexpr int most_ranks = 64;
/// With two ranks for each processor, formulas were measured to choose as well.
constexpr int most_for_each = 2;
/// Until a processor that leaves one rank works for the next one, which looks for its message in vain: 2 to 5 us.
constexpr double seconds_of_turn = 3e-6;

/// So many that no message is empty.
std::uint64_t bytes_looked_at(const Grid& grid) {
    constexpr std::uint64_t bytes_of_rank = 1 << 20;
    return bytes_of_rank * grid.ranks();
}

std::vector<SizedProgram> sized_programs(const Algorithm& algorithm, const Grid& grid, const Problem& problem) {
    std::vector<SizedProgram> programs;
    for (Program& program : algorithm.all_programs(grid, problem)) {
        const int rank = static_cast<int>(programs.size());
        programs.push_back(sized(problem.collective, std::move(program), rank, grid.ranks(), bytes_looked_at(grid)));
    }
    return programs;
}

/// One lane of one rank: how many messages in a row it has waited for.
struct LaneChain {
    const SizedProgram& sized;
    int rank;
    int number;
    std::int32_t sent;            ///< the first step whose messages are not sent
    std::vector<int> ended = {};  ///< by step: the chain that ends there

    const Lane& lane() const { return sized.program.lanes[number]; }
    std::int32_t step() const { return lane().begin_step + static_cast<std::int32_t>(ended.size()); }
    /// Of the messages that a step sends: those of earlier steps have come, unless a window lets them be under way.
    int at(std::int32_t step) const {
        const std::int32_t before = step - lane().begin_step - lane().window;
        return before < 0 ? 0 : ended[before];
    }
};

/// Messages from one rank to another, as the chains that end with them, in the order sent. A std::deque would allocate
/// even for none.
class UnderWay {
public:
    bool empty() const { return taken_ == chains_.size(); }
    void send(int chain) { chains_.push_back(chain); }
    int front() const { return chains_[taken_]; }
    void take() { ++taken_; }
    void give_back() { --taken_; }

private:
    std::vector<int> chains_;
    std::size_t taken_ = 0;
};

/// All messages under way.
class Chains {
public:
    Chains(std::span<const SizedProgram> programs) : ranks_(programs.size()) {
        std::size_t lanes = 1;
        for (const SizedProgram& sized : programs) lanes = std::max(lanes, sized.program.lanes.size());
        under_way_.resize(ranks_ * ranks_ * lanes);
    }

    /// Goes on with a lane as far as the messages allow that have been sent. Whether it has gone on at all.
    bool advance(LaneChain& lane) {
        const std::int32_t begin = lane.step(), sent = lane.sent;
        do {
            send(lane);
        } while (receive(lane));
        return lane.step() != begin || lane.sent != sent;
    }

private:
    UnderWay& between(int from, int to, int lane) { return under_way_[(lane * ranks_ + from) * ranks_ + to]; }

    void send(LaneChain& lane) {
        const Program& program = lane.sized.program;
        for (; lane.sent < lane.lane().end_step && lane.sent - lane.step() < lane.lane().window; ++lane.sent) {
            for (const Action& action : program.actions_of(program.steps[lane.sent])) {
                if (!is_send(action) || lane.sized.bytes_of(action) == 0) continue;
                between(lane.rank, action.peer, lane.number).send(lane.at(lane.sent) + 1);
            }
        }
    }

    /// All that the next step receives, if it has been sent.
    bool receive(LaneChain& lane) {
        if (lane.step() == lane.lane().end_step) return false;
        const Program& program = lane.sized.program;
        const auto actions = program.actions_of(program.steps[lane.step()]);
        int chain = lane.ended.empty() ? 0 : lane.ended.back();
        taken_.clear();
        for (const Action& action : actions) {
            if (!is_receive(action) || lane.sized.bytes_of(action) == 0) continue;
            UnderWay& messages = between(action.peer, lane.rank, lane.number);
            if (messages.empty()) {
                for (UnderWay* const from : taken_) from->give_back();
                return false;
            }
            chain = std::max(chain, messages.front());
            messages.take();
            taken_.push_back(&messages);
        }
        lane.ended.push_back(chain);
        return true;
    }

    std::size_t ranks_;
    std::vector<UnderWay> under_way_;  // by lane, sender and receiver
    std::vector<UnderWay*> taken_;     // a message each, by the step in hand
};

}  // namespace

int longest_chain(std::span<const SizedProgram> programs) {
    std::vector<LaneChain> lanes;
    for (int rank = 0; rank < static_cast<int>(programs.size()); ++rank) {
        const auto& of_rank = programs[rank].program.lanes;
        for (int number = 0; number < static_cast<int>(of_rank.size()); ++number) {
            lanes.push_back({programs[rank], rank, number, of_rank[number].begin_step});
        }
    }
    Chains chains(programs);
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (LaneChain& lane : lanes) goes_on = chains.advance(lane) || goes_on;
    }
    int longest = 0;
    for (const LaneChain& lane : lanes) longest = std::max(longest, lane.ended.empty() ? 0 : lane.ended.back());
    return longest;
}

bool TimeSharing::applies(const Grid& grid) {
    return grid.ranks() <= most_ranks && grid.takes_turns() && grid.ranks() > most_for_each * grid.processors();
}

TimeSharing::TimeSharing(const Algorithm& algorithm, const Grid& grid, Problem problem) : grid_(grid) {
    problem.segments = 1;
    once_ = look_at(algorithm, grid, problem);
    if (!algorithm.uses_segments) return;
    const auto messages = [](const Schedule& schedule) {
        double all = 0;
        for (const Doings& rank : schedule.ranks) all += rank.messages;
        return all;
    };
    problem.segments = 2;
    const Schedule twice = look_at(algorithm, grid, problem);
    more_messages_ = messages(twice) / std::max(1.0, messages(once_)) - 1;
    longer_chain_ = twice.chain - once_.chain;
}

double waiting_among_hosts(const Algorithm& algorithm, const Grid& grid, Problem problem, double each) {
    if (each == 0 || grid.ranks() > most_ranks) return 0;
    problem.segments = 1;
    return longest_chain(sized_programs(algorithm, grid, problem)) * each;
}

TimeSharing::Schedule TimeSharing::look_at(const Algorithm& algorithm, const Grid& grid, const Problem& problem) {
    const auto bytes = static_cast<double>(bytes_looked_at(grid));
    Schedule schedule;
    const std::vector<SizedProgram> programs = sized_programs(algorithm, grid, problem);
    for (const SizedProgram& sized : programs) {
        Doings& doings = schedule.ranks.emplace_back();
        for (const Action& action : sized.program.actions) {
            const double share = sized.bytes_of(action) / bytes;
            const bool combines = action.kind == ActionKind::receive_reduce || action.kind == ActionKind::reduce;
            if (is_transfer(action) && share > 0) ++doings.messages;
            if (is_receive(action)) doings.received += share;
            if (combines) doings.combined += share;
            if (action.kind == ActionKind::copy) doings.copied += share;
        }
    }
    schedule.chain = longest_chain(programs);
    return schedule;
}

double TimeSharing::work(int segments, double bytes) const {
    const MachineCosts costs = grid_.costs().shared_by(grid_.processors());
    const double times = 1 + (segments - 1) * more_messages_;
    double all = 0, busiest = 0;
    for (const Doings& rank : once_.ranks) {
        const double seconds = times * rank.messages * costs.local_message() +
                               bytes * (rank.received / costs.local_bandwidth + rank.combined / costs.reduce_bandwidth +
                                        rank.copied / costs.copy_bandwidth);
        all += seconds;
        busiest = std::max(busiest, seconds);
    }
    return std::max(all / grid_.processors(), busiest);
}

double TimeSharing::waiting(int segments) const {
    // A message comes at any moment of a round of turns.
    const double until_its_turn = seconds_of_turn * grid_.ranks() / grid_.processors() / 2;
    return (once_.chain + (segments - 1) * longer_chain_) * until_its_turn;
}

}  // namespace coll_topo
