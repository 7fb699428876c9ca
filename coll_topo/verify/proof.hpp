// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/grid/cartesian.hpp"
#include "coll_topo/grid/placement.hpp"
#include "coll_topo/schedule/program.hpp"

#include <vector>

namespace coll_topo {

/// The programs of all ranks of a communicator, by rank.
using Schedule = std::vector<Program>;

/// Runs the schedule symbolically and fails with the first thing found wrong, naming rank, lane and step:
/// - matching: every message has its partner, with the same blocks of the vector (alltoall: as many of a
///   slice), at most one message each way between two ranks in a step;
/// - no deadlock even if no send ends before its receive is posted (rendezvous) and messages are cut into segments;
/// - independence: lanes never touch each other's blocks, and no step what another in progress uses;
/// - buffers: the caller's may be one and the same (in place; not in alltoall), or hold elements with gaps
///   (allgather);
/// - data flow: every block ends as the collective demands, each contribution in it exactly once; of a reduce only the
///   root's, of an alltoall block k with the piece from rank k, between neighbours with that from neighbour k,
///   untouched if there is none;
/// - `in_order`: contributions are combined only with neighbours, in rank order.
/// `root` matters to the collectives that have one, `cartesian` to those of neighbours, which need it.
Expected<void> prove(Collective collective, const Schedule& schedule, bool in_order = false, int root = 0,
                     const Cartesian* cartesian = nullptr);

/// How busy the links of a network are in one step.
struct StepLoad {
    int messages = 0;         ///< on the directed link with the most
    std::int64_t blocks = 0;  ///< on the directed link with the most
    int slowest_link = -1;    ///< of LinkGraph: the one with the most blocks for its bandwidth; -1: no link is used
    int busiest_link = -1;    ///< of LinkGraph: the one with the most messages; -1: no link is used
};

/// The load of each step when step s of every lane of every rank is in progress at once: for schedules in which all
/// ranks take part in every step. See verify/rounds.hpp for the others.
std::vector<StepLoad> link_load(const Schedule& schedule, LinkGraph& network, const Placement& placement);
std::vector<StepLoad> link_load(const Schedule& schedule, const Fabric& fabric, const Placement& placement);

/// Blocks a rank sends in all its steps.
std::int64_t blocks_sent(const Program& program);

}  // namespace coll_topo
