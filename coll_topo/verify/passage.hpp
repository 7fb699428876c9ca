// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/verify/matching.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo::verify {

/// Tells which of the messages posted can pass, however long they are. A message passes once both sides are posted
/// (rendezvous). One that is reduced on arrival is cut into segments, and only a few of them may wait to be reduced.
/// So it also waits for what its reduction waits for at the receiver: the reduction listed before it, and sends of the
/// step that overlap its target; segment by segment if both are of the same blocks, else for the whole. Where a lane
/// limits its sends, also for the send that many places before it in its step.
class Passage {
public:
    Passage(const Schedule& schedule, const std::vector<Memory>& memories, const Matching& matching);

    /// One more side of the message is posted. Appends the messages that can pass now.
    void post(std::int32_t message, std::vector<std::int32_t>& passing);

    bool passed(std::int32_t message) const { return states_[message].passed; }
    /// What a message that has not passed waited for when it was last looked at: itself if it is not posted.
    std::int32_t blocked_by(std::int32_t message) const { return states_[message].blocked_by; }

private:
    struct State {
        std::int32_t blocked_by;
        std::int8_t sides_posted = 0;
        bool passed = false;
        bool looked_at = false;
    };

    /// A send that the lane keeps back until another of its step has passed: that one, or -1.
    std::int32_t sent_before(const MessageEnd& sender) const;
    void try_to_pass(std::int32_t message, std::vector<std::int32_t>& passing);
    std::int32_t blocker(std::int32_t message);

    const Schedule& schedule_;
    const std::vector<Memory>& memories_;
    const Matching& matching_;
    std::vector<State> states_;                       // by message
    std::vector<std::vector<std::int32_t>> waiting_;  // by message: those to try again when it is posted or has passed
    std::vector<std::int32_t> retries_;               // of post(): those to try
    std::vector<std::int32_t> together_;              // of try_to_pass(): those that pass together, or none
};

}  // namespace coll_topo::verify
