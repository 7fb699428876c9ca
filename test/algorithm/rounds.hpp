// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/verify/proof.hpp"

namespace coll_topo::test {

/// The rounds that a schedule of one lane takes if each message takes one round once both sides have reached it, and
/// nothing else takes time. -1 if it never ends.
int rounds(const Schedule& schedule);

/// Steps of a program that send or receive.
int message_steps(const Program& program);

/// Messages that all ranks send.
int messages_sent(const Schedule& schedule);

}  // namespace coll_topo::test
