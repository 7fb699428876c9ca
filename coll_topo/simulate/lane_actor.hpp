// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/message_sizes.hpp"
#include "coll_topo/simulate/lane_work.hpp"
#include "coll_topo/simulate/run.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::simulate {

/// The actor that runs one lane of one rank.
class LaneActor {
public:
    /// From `first_step` on.
    LaneActor(Run& run, const MessageSizes& sizes, Processor& processor, int rank, int lane, std::int32_t first_step)
        : run_(run),
          program_(run.schedule[rank]),
          sizes_(sizes),
          work_(run, sizes, processor, rank, lane),
          port_(run.ports[rank][lane]),
          rank_(rank),
          lane_(lane),
          first_step_(first_step),
          windowed_(program_.lanes[lane].window > 1),
          limit_(run.settings.sends_at_once > 0 ? run.settings.sends_at_once
                 : windowed_                    ? program_.lanes[lane].window
                                                : program_.lanes[lane].sends_at_once) {}

    // As the executor does: receives are posted ahead, and a step begins while sends before it are under way, as far as
    // the program allows both.
    void operator()() {
        const Lane& lane = program_.lanes[lane_];
        for (std::int32_t step = first_step_; step < lane.end_step; ++step) {
            const Step& now = program_.steps[step];
            end_steps(most_behind(now));
            time_of(step).begin = simgrid::s4u::Engine::get_clock();
            if (ahead_.empty()) ahead_.push_back(post_receives(now));
            const std::vector<Transfer> receives = std::move(ahead_.front());
            ahead_.pop_front();
            behind_.push_back({step, {}, {}});
            post_ahead(lane, step);
            exchange(now, receives);
            time_of(step).end = simgrid::s4u::Engine::get_clock();
            run_.count_step();
            if (run_.settings.lockstep) {
                end_steps(0);
                work_.end_turn();
                run_.barriers[step - lane.begin_step]->wait();
            }
        }
        end_steps(0);
        work_.end_turn();
    }

    /// To be called once all actors are there, with this one's: messages that are eager leave without it.
    void accept_eager(const simgrid::s4u::ActorPtr& actor) const {
        for (const Step& step : program_.steps_of(program_.lanes[lane_])) {
            for (const Action& action : program_.actions_of(step)) {
                if (is_receive(action) && is_eager(action)) mailbox(action.peer, rank_, true)->set_receiver(actor);
            }
        }
    }

private:
    struct StepInFlight {
        std::int32_t step;
        std::vector<Transfer> sends;
        std::vector<Transfer> receives;  // in lanes with a window
    };

    StepTime& time_of(std::int32_t step) { return run_.result.steps[rank_][step]; }

    bool is_eager(const Action& action) const {
        return run_.settings.software_costs && static_cast<double>(sizes_.bytes(action)) <= run_.costs.eager_limit;
    }

    simgrid::s4u::Mailbox* mailbox(int from, int to, bool eager) const {
        return simgrid::s4u::Mailbox::by_name(std::to_string(from) + " " + std::to_string(to) + " " +
                                              std::to_string(lane_) + (eager ? " eager" : ""));
    }

    void wait_for(const Transfer& transfer) {
        while (!transfer.has_ended()) progress({transfer});
        if (transfer.message) transfer.message->wait();
    }

    void wait_for(const std::vector<Transfer>& transfers) {
        for (const Transfer& transfer : transfers) wait_for(transfer);
    }

    /// Moves what has come from a rank of the host, as Open MPI does while it waits, or else waits until one of the
    /// transfers may have ended.
    void progress(const std::vector<Transfer>& awaited) {
        if (const auto arrived = port_.take_arrived()) {
            work_.move_arrived(*arrived->receive);
            LocalPort::moved(*arrived);
            return;
        }
        work_.end_turn();
        std::vector<simgrid::s4u::CommPtr> messages;
        for (const Transfer& transfer : awaited) {
            if (transfer.message) messages.push_back(transfer.message);
        }
        port_.block(std::move(messages));
    }

    void post_send(const Action& action, std::vector<Transfer>& sends) {
        work_.begin_message(action);
        if (!work_.moves_within_host(action)) {
            const auto message = mailbox(rank_, action.peer, is_eager(action))->put_async(this, sizes_.bytes(action));
            sends.push_back({&action, message, nullptr});
            return;
        }
        const bool waits = !work_.is_buffered(action);
        const auto message = port_.send_to(run_.ports[action.peer][lane_], waits);
        if (waits) sends.push_back({&action, nullptr, message});
    }

    // The executor skips messages of no bytes, too.
    std::vector<Transfer> post_receives(const Step& step) {
        std::vector<Transfer> posted;
        for (const Action& action : program_.actions_of(step)) {
            if (!is_receive(action) || sizes_.bytes(action) == 0) continue;
            if (work_.moves_within_host(action))
                posted.push_back({&action, nullptr, port_.receive(action)});
            else
                posted.push_back(
                    {&action, mailbox(action.peer, rank_, is_eager(action))->get_async<void>(&received_), nullptr});
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

    /// How many steps may still be in flight when this one begins.
    std::size_t most_behind(const Step& step) const {
        if (run_.settings.lockstep) return 0;
        return windowed_ ? limit_ - 1 : step.passes_sends;
    }

    /// Waits until no more than the last `most` steps are in flight.
    void end_steps(std::size_t most) {
        for (; !behind_.empty() && (behind_.size() > most || ended(behind_.front())); behind_.pop_front()) {
            double& end = time_of(behind_.front().step).end;
            for (const auto* transfers : {&behind_.front().sends, &behind_.front().receives}) {
                wait_for(*transfers);
                for (const Transfer& one : *transfers) end = std::max(end, one.end());
            }
        }
    }

    static bool ended(const StepInFlight& behind) {
        return std::ranges::all_of(behind.sends, &Transfer::has_ended) &&
               std::ranges::all_of(behind.receives, &Transfer::has_ended);
    }

    /// Sends, receives, and what the step does with its data: what arrives is combined in the order listed, also while
    /// sends wait for those before them.
    void exchange(const Step& step, const std::vector<Transfer>& receives) {
        std::vector<Transfer>& sends = behind_.back().sends;
        // A limit of the lane is for the messages of a step.
        if (run_.settings.sends_at_once == 0) under_way_.clear();
        std::size_t received = 0;
        // What is combined may replace what is still being sent.
        const std::size_t early = step.sends_overlap_receives ? 0 : receives.size();
        for (const Action& action : program_.actions_of(step)) {
            if (action.kind != ActionKind::send || sizes_.bytes(action) == 0) continue;
            const bool limited = is_limited(action);
            while (limited && !has_room()) {
                if (await_a_send_or(received < early ? &receives[received] : nullptr)) end(receives[received++]);
            }
            const std::size_t before = sends.size();
            post_send(action, sends);
            if (limited && sends.size() > before) under_way_.push_back(sends.back());
        }
        work_.end_turn();
        if (windowed_ && !works(step)) {
            behind_.back().receives = receives;
            return;
        }
        if (step.sends_overlap_receives) wait_for(sends);
        while (received < receives.size()) end(receives[received++]);
        work_on_own_data(step, sends);
    }

    bool is_limited(const Action& send) const {
        if (windowed_ || limit_ == 0) return false;
        return run_.settings.sends_at_once > 0 || static_cast<double>(sizes_.bytes(send)) > run_.short_message;
    }

    bool has_room() const { return under_way_.size() < limit_; }

    /// Waits until a send or the message, if there is one, has ended. True if no send has, so that it was the message.
    bool await_a_send_or(const Transfer* receive) {
        std::vector<Transfer> awaited = under_way_;
        if (receive != nullptr) awaited.push_back(*receive);
        while (std::ranges::none_of(awaited, &Transfer::has_ended)) progress(awaited);
        return std::erase_if(under_way_, [](const Transfer& send) {
                   if (!send.has_ended()) return false;
                   if (send.message) send.message->wait();
                   return true;
               }) == 0;
    }

    void end(const Transfer& receive) {
        wait_for(receive);
        if (receive.action->kind == ActionKind::receive_reduce) work_.reduce(*receive.action);
    }

    bool works(const Step& step) const {
        const auto actions = program_.actions_of(step);
        return !actions.empty() && !is_transfer(actions.back());
    }

    void work_on_own_data(const Step& step, const std::vector<Transfer>& sends) {
        if (!works(step)) return;
        wait_for(sends);
        for (const Action& action : program_.actions_of(step)) {
            if (action.kind == ActionKind::reduce) work_.reduce(action);
            if (action.kind == ActionKind::copy) work_.copy(action);
        }
    }

    Run& run_;
    const Program& program_;
    const MessageSizes& sizes_;
    LaneWork work_;
    LocalPort& port_;
    int rank_;
    int lane_;
    std::int32_t first_step_;
    bool windowed_;                            // several steps in flight
    std::size_t limit_;                        // of these, or else of the sends of a step; 0: none
    std::deque<std::vector<Transfer>> ahead_;  // receives posted, of the steps to come
    std::deque<StepInFlight> behind_;          // of the steps so far, the current one last
    std::vector<Transfer> under_way_;          // if there is a limit
    void* received_ = nullptr;                 // SimGrid hands over an address with each message; nobody looks at it
};

}  // namespace coll_topo::simulate
