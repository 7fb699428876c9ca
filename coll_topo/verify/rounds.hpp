// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/verify/proof.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// A message of a schedule: an action that sends it in the program of one rank, and one that receives it in another's.
struct RoundMessage {
    std::int32_t from;     ///< rank
    std::int32_t to;       ///< rank
    std::int32_t lane;     ///< of both programs
    std::int32_t send;     ///< action of the program of `from`
    std::int32_t receive;  ///< action of the program of `to`
};

/// The messages of a schedule by the round in which they pass.
using Rounds = std::vector<std::vector<RoundMessage>>;

/// Runs a schedule in lockstep: each message takes one round and nothing else takes time. A message passes in the first
/// round in which both sides are at its step, sends that are limited (Lane::sends_at_once) one after the other, and a
/// lane goes to its next step when all messages of the step have passed. Ranks that sit out a phase of an algorithm
/// have no step for it, so that only rounds tell which messages meet on the way. Within a round, messages are in the
/// order of their senders. Fails if one would never pass.
Expected<Rounds> find_rounds(const Schedule& schedule);

/// The load of each round.
std::vector<StepLoad> link_load(const Rounds& rounds, const Schedule& schedule, LinkGraph& network,
                                const Placement& placement);

}  // namespace coll_topo
