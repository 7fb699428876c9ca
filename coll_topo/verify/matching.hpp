// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/verify/memory.hpp"
#include "coll_topo/verify/proof.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo::verify {

/// One side of a message: an action of a step of a rank's program, both numbered within the program.
struct MessageEnd {
    std::int32_t rank = -1;
    std::int32_t step = -1;
    std::int32_t action = -1;
};

struct Message {
    MessageEnd sender;
    MessageEnd receiver;
};

/// Every send with the receive that takes its message. Since messages between two ranks match in order within a lane,
/// the pairs do not depend on timing: the k-th send of a rank to another in a lane meets the k-th receive there.
struct Matching {
    std::vector<Message> messages;
    std::vector<std::vector<std::int32_t>> message_of;  ///< by rank and action; -1 for what is no message

    MessageEnd partner(int rank, std::int32_t action) const {
        const Message& message = messages[message_of[rank][action]];
        return message.sender.rank == rank ? message.receiver : message.sender;
    }
};

/// Fails on a send without a receive, a receive without a send, or a pair that differs in its blocks.
/// Needs programs of sound form; `memories` are by rank.
Expected<Matching> match(const Schedule& schedule, const std::vector<Memory>& memories);

}  // namespace coll_topo::verify
