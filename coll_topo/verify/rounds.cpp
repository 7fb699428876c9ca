// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/rounds.hpp"

#include "coll_topo/base/return_if_error.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace coll_topo {
namespace {

/// One side of a message.
struct End {
    std::int32_t lane;
    std::int32_t from;
    std::int32_t to;
    std::int32_t step;    // of the program
    std::int32_t action;  // of the program

    auto channel() const { return std::tie(lane, from, to); }
};

std::string text(const End& end) {
    return "lane " + std::to_string(end.lane) + ": a message from rank " + std::to_string(end.from) + " to rank " +
           std::to_string(end.to);
}

/// All sends and all receives, those of one channel together and in order.
class Ends {
public:
    explicit Ends(const Schedule& schedule) {
        for (std::size_t rank = 0; rank < schedule.size(); ++rank) collect(schedule[rank], std::int32_t(rank));
        for (std::vector<End>* const side : {&sends, &receives}) {
            std::stable_sort(side->begin(), side->end(),
                             [](const End& a, const End& b) { return a.channel() < b.channel(); });
        }
    }

    /// Fails on a send without a receive or the other way round.
    Expected<void> check_pairs() const {
        for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
            const bool sent = i < sends.size(), received = i < receives.size();
            if (sent && received && sends[i].channel() == receives[i].channel()) continue;
            if (sent && (!received || sends[i].channel() < receives[i].channel())) {
                return failure(text(sends[i]) + " is never received");
            }
            return failure(text(receives[i]) + " is never sent");
        }
        return {};
    }

    std::vector<End> sends, receives;

private:
    void collect(const Program& program, std::int32_t rank) {
        for (std::size_t lane = 0; lane < program.lanes.size(); ++lane) {
            for (std::int32_t step = program.lanes[lane].begin_step; step < program.lanes[lane].end_step; ++step) {
                for (std::int32_t i = program.steps[step].begin; i < program.steps[step].end; ++i) {
                    const Action& action = program.actions[i];
                    if (action.kind == ActionKind::copy || action.kind == ActionKind::reduce) continue;
                    const auto number = static_cast<std::int32_t>(lane);
                    if (action.kind == ActionKind::send) {
                        sends.push_back({number, rank, action.peer, step, i});
                    } else {
                        receives.push_back({number, action.peer, rank, step, i});
                    }
                }
            }
        }
    }
};

/// Lets the lanes of all ranks advance as far as their messages pass. The round of a message follows from the steps
/// before it, so that the order in which lanes are looked at does not matter.
class Lockstep {
public:
    Lockstep(const Schedule& schedule, const Ends& ends) : schedule_(schedule), ends_(ends) {
        for (const Program& program : schedule) steps_.emplace_back(program.steps.size());
        for (std::size_t message = 0; message < ends.sends.size(); ++message) {
            const End &send = ends.sends[message], &receive = ends.receives[message];
            steps_[send.from][send.step].sends.push_back(static_cast<std::int32_t>(message));
            steps_[receive.to][receive.step].receives.push_back(static_cast<std::int32_t>(message));
        }
        for (auto& steps : steps_) {
            for (Step& step : steps) std::ranges::sort(step.sends, {}, [&](auto i) { return ends.sends[i].action; });
        }
        round_of_.assign(ends.sends.size(), not_posted);
    }

    Expected<Rounds> run() {
        for (std::size_t rank = 0; rank < schedule_.size(); ++rank) {
            for (const Lane& lane : schedule_[rank].lanes) {
                if (lane.begin_step < lane.end_step) reach({std::int32_t(rank), lane.begin_step}, 0);
            }
        }
        while (!done_.empty()) {
            const Place place = done_.back();
            done_.pop_back();
            const Step& step = steps_[place.rank][place.step];
            if (!ends_lane(place)) reach({place.rank, place.step + 1}, step.end);
        }
        return collect();
    }

private:
    static constexpr std::int32_t not_posted = -1;

    struct Place {
        std::int32_t rank;
        std::int32_t step;
    };
    struct Step {
        std::vector<std::int32_t> receives;
        std::vector<std::int32_t> sends;  // in the order of the program
        std::size_t sends_begun = 0;
        std::size_t open = 0;  // messages that have not passed
        std::int32_t end = 0;  // the round after it
    };

    const Lane& lane_of(Place place) const {
        return *std::ranges::find_if(schedule_[place.rank].lanes, [&](const Lane& lane) {
            return lane.begin_step <= place.step && place.step < lane.end_step;
        });
    }

    bool ends_lane(Place place) const { return lane_of(place).end_step == place.step + 1; }

    /// A lane has come to a step and posts its messages, from this round on.
    void reach(Place place, std::int32_t round) {
        Step& step = steps_[place.rank][place.step];
        step.end = round;
        step.open = step.receives.size() + step.sends.size();
        if (step.open == 0) done_.push_back(place);
        const auto at_once = static_cast<std::size_t>(lane_of(place).sends_at_once);
        const std::size_t first = at_once == 0 ? step.sends.size() : std::min(at_once, step.sends.size());
        step.sends_begun = first;
        for (const std::int32_t message : step.receives) post(message, round);
        for (std::size_t send = 0; send < first; ++send) post(step.sends[send], round);
    }

    /// One of the sends that go on at once has passed.
    void begin_next_send(Place place, std::int32_t round) {
        Step& step = steps_[place.rank][place.step];
        if (step.sends_begun < step.sends.size()) post(step.sends[step.sends_begun++], round);
    }

    void post(std::int32_t message, std::int32_t round) {
        const bool first = round_of_[message] == not_posted;
        round_of_[message] = std::max(round_of_[message], round);
        if (first) return;
        ++passed_;
        const End &send = ends_.sends[message], &receive = ends_.receives[message];
        for (const Place place : {Place{send.from, send.step}, Place{receive.to, receive.step}}) {
            Step& step = steps_[place.rank][place.step];
            step.end = std::max(step.end, round_of_[message] + 1);
            if (--step.open == 0) done_.push_back(place);
        }
        begin_next_send({send.from, send.step}, round_of_[message] + 1);
    }

    Expected<Rounds> collect() const {
        if (passed_ < ends_.sends.size()) return failure("not all messages pass: the schedule comes to a standstill");
        Rounds rounds;
        for (std::size_t message = 0; message < round_of_.size(); ++message) {
            const End& send = ends_.sends[message];
            const auto round = static_cast<std::size_t>(round_of_[message]);
            if (round >= rounds.size()) rounds.resize(round + 1);
            rounds[round].push_back({send.from, send.to, send.lane, send.action, ends_.receives[message].action});
        }
        for (auto& round : rounds) {
            std::ranges::stable_sort(round, {}, [](const RoundMessage& m) { return std::tuple(m.from, m.lane, m.to); });
        }
        return rounds;
    }

    const Schedule& schedule_;
    const Ends& ends_;
    std::vector<std::vector<Step>> steps_;  // by rank
    std::vector<std::int32_t> round_of_;    // by message: of the later side posted
    std::vector<Place> done_;               // steps whose messages have passed
    std::size_t passed_ = 0;
};

}  // namespace

Expected<Rounds> find_rounds(const Schedule& schedule) {
    const Ends ends(schedule);
    RETURN_IF_ERROR(ends.check_pairs());
    return Lockstep(schedule, ends).run();
}

}  // namespace coll_topo
