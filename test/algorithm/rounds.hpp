// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/verify/proof.hpp"

namespace coll_topo::test {

/// In how many rounds a schedule of one lane ends if each of its messages takes one round from when both sides have
/// reached it, and nothing else takes time. -1 if it never ends.
int rounds(const Schedule& schedule);

/// Steps of a program that send or receive.
int message_steps(const Program& program);

/// Messages that all ranks send.
int messages_sent(const Schedule& schedule);

}  // namespace coll_topo::test
