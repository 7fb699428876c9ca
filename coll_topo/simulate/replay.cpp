// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/replay.hpp"

#include "coll_topo/algorithm/cost.hpp"
#include "coll_topo/simulate/message_sizes.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <deque>
#include <string>

namespace coll_topo::simulate {
namespace {

namespace s4u = simgrid::s4u;

/// What all lanes know.
struct Run {
    const Schedule& schedule;
    const MachineCosts& costs;
    const SimulationSettings& settings;
    Simulation& result;
    const Progress& progress;
    std::int64_t steps = 0;
    std::int64_t steps_done = 0;
    std::vector<s4u::BarrierPtr> barriers = {};  // in lockstep: behind the first step of each lane, the second, ...

    void count_step() {
        constexpr std::int64_t reports = 100;
        const std::int64_t before = steps_done++ * reports / steps;
        if (progress && steps_done * reports / steps > before) {
            progress(static_cast<double>(steps_done) / static_cast<double>(steps));
        }
    }
};

/// The one thread of a rank, which serves its lanes first come, first served.
class Processor {
public:
    void work(double seconds) {
        if (seconds <= 0) return;
        free_at_ = std::max(free_at_, s4u::Engine::get_clock()) + seconds;
        s4u::this_actor::sleep_until(free_at_);
    }

private:
    double free_at_ = 0;
};

/// A message under way, seen from one end.
struct Transfer {
    const Action* action;
    s4u::CommPtr message;
};

/// The actor that runs one lane of one rank.
class LaneActor {
public:
    LaneActor(Run& run, const MessageSizes& sizes, Processor& processor, int rank, int lane)
        : run_(run), program_(run.schedule[rank]), sizes_(sizes), processor_(processor), rank_(rank), lane_(lane) {}

    // As the executor does: receives are posted ahead, and a step begins while sends before it are under way, as far as
    // the program allows both.
    void operator()() {
        const Lane& lane = program_.lanes[lane_];
        for (std::int32_t step = lane.begin_step; step < lane.end_step; ++step) {
            const Step& now = program_.steps[step];
            end_sends(run_.settings.lockstep ? 0 : now.passes_sends);
            time_of(step).begin = s4u::Engine::get_clock();
            if (ahead_.empty()) ahead_.push_back(post_receives(now));
            const std::vector<Transfer> receives = std::move(ahead_.front());
            ahead_.pop_front();
            behind_.push_back({step, post_sends(now)});
            post_ahead(lane, step);
            finish(now, receives, behind_.back().sends);
            time_of(step).end = s4u::Engine::get_clock();
            run_.count_step();
            if (run_.settings.lockstep) {
                end_sends(0);
                run_.barriers[step - lane.begin_step]->wait();
            }
        }
        end_sends(0);
    }

private:
    struct SendsOfStep {
        std::int32_t step;
        std::vector<Transfer> sends;
    };

    StepTime& time_of(std::int32_t step) { return run_.result.steps[rank_][step]; }

    s4u::Mailbox* mailbox(int from, int to) const {
        return s4u::Mailbox::by_name(std::to_string(from) + " " + std::to_string(to) + " " + std::to_string(lane_));
    }

    void work(double seconds) {
        if (run_.settings.software_costs) processor_.work(seconds);
    }

    // The executor skips messages of no bytes, too.
    std::vector<Transfer> post_receives(const Step& step) {
        std::vector<Transfer> posted;
        for (const Action& action : program_.actions_of(step)) {
            if (!is_receive(action) || sizes_.bytes(action) == 0) continue;
            posted.push_back({&action, mailbox(action.peer, rank_)->get_async<void>(&received_)});
        }
        return posted;
    }

    // All of a step at once, also where the lane limits them: links share themselves fairly here, and no queue fills
    // up.
    std::vector<Transfer> post_sends(const Step& step) {
        std::vector<Transfer> posted;
        for (const Action& action : program_.actions_of(step)) {
            if (action.kind != ActionKind::send || sizes_.bytes(action) == 0) continue;
            work(run_.costs.message_time);
            posted.push_back({&action, mailbox(rank_, action.peer)->put_async(this, sizes_.bytes(action))});
        }
        return posted;
    }

    void post_ahead(const Lane& lane, std::int32_t now) {
        const std::int32_t oldest = behind_.front().step;
        for (std::int32_t step = now + 1 + static_cast<std::int32_t>(ahead_.size()); step < lane.end_step; ++step) {
            const Step& later = program_.steps[step];
            if (step - now > later.receives_ahead) return;
            if (step - oldest > std::max(later.receives_ahead, later.passes_sends)) return;
            ahead_.push_back(post_receives(later));
        }
    }

    /// Waits until sends of no more than the last `most` steps are under way.
    void end_sends(std::size_t most) {
        for (; !behind_.empty() && (behind_.size() > most || ended(behind_.front())); behind_.pop_front()) {
            wait_for(behind_.front().sends);
            double& end = time_of(behind_.front().step).end;
            for (const Transfer& send : behind_.front().sends) end = std::max(end, send.message->get_finish_time());
        }
    }

    static bool ended(const SendsOfStep& behind) {
        return std::ranges::all_of(behind.sends, [](const Transfer& send) { return send.message->test(); });
    }

    void finish(const Step& step, const std::vector<Transfer>& receives, const std::vector<Transfer>& sends) {
        const auto actions = program_.actions_of(step);
        const bool works = !actions.empty() && !is_transfer(actions.back());
        // What is combined may replace what is still being sent.
        if (step.sends_overlap_receives) wait_for(sends);
        for (const Transfer& transfer : receives) {
            transfer.message->wait();
            if (transfer.action->kind == ActionKind::receive_reduce) reduce(*transfer.action);
        }
        if (works && !step.sends_overlap_receives) wait_for(sends);
        for (const Action& action : actions) {
            if (action.kind == ActionKind::reduce) reduce(action);
            if (action.kind == ActionKind::copy) work(seconds(action, run_.costs.copy_bandwidth));
        }
    }

    static void wait_for(const std::vector<Transfer>& transfers) {
        for (const Transfer& transfer : transfers) transfer.message->wait();
    }

    void reduce(const Action& action) { work(seconds(action, run_.costs.reduce_bandwidth)); }

    double seconds(const Action& action, double bandwidth) const {
        return static_cast<double>(sizes_.bytes(action)) / bandwidth;
    }

    Run& run_;
    const Program& program_;
    const MessageSizes& sizes_;
    Processor& processor_;
    int rank_;
    int lane_;
    std::deque<std::vector<Transfer>> ahead_;  // receives posted, of the steps to come
    std::deque<SendsOfStep> behind_;           // of the steps so far, the current one last
    void* received_ = nullptr;                 // SimGrid hands over an address with each message; nobody looks at it
};

/// For lanes that have that many steps.
std::vector<s4u::BarrierPtr> make_barriers(const Schedule& schedule) {
    std::vector<unsigned> lanes;  // by step
    for (const Program& program : schedule) {
        for (const Lane& lane : program.lanes) {
            const std::size_t steps = program.steps_of(lane).size();
            if (lanes.size() < steps) lanes.resize(steps, 0);
            for (std::size_t step = 0; step < steps; ++step) ++lanes[step];
        }
    }
    std::vector<s4u::BarrierPtr> barriers;
    for (const unsigned count : lanes) barriers.push_back(s4u::Barrier::create(count));
    return barriers;
}

}  // namespace

Simulation replay(const Schedule& schedule, Collective collective, std::uint64_t bytes, const Platform& platform,
                  const MachineCosts& costs, const SimulationSettings& settings, const Progress& progress) {
    Simulation result;
    Run run{schedule, costs, settings, result, progress};
    const int ranks = static_cast<int>(schedule.size());
    std::vector<Processor> processors(ranks);
    std::vector<MessageSizes> sizes;
    for (const Program& program : schedule) {
        sizes.emplace_back(collective, program, ranks, bytes);
        result.steps.emplace_back(program.steps.size());
        run.steps += static_cast<std::int64_t>(program.steps.size());
    }
    for (int rank = 0; rank < ranks; ++rank) {
        for (int lane = 0; lane < static_cast<int>(schedule[rank].lanes.size()); ++lane) {
            s4u::Actor::create("rank " + std::to_string(rank) + ", lane " + std::to_string(lane),
                               platform.host_of_rank(rank), LaneActor(run, sizes[rank], processors[rank], rank, lane));
        }
    }
    if (settings.lockstep) run.barriers = make_barriers(schedule);
    s4u::Engine::get_instance()->run();
    result.seconds = s4u::Engine::get_clock();
    return result;
}

}  // namespace coll_topo::simulate
