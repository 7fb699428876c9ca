// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/builder.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// An edge between a rank and its parent or one of its children in a tree through which blocks stream. As in a reduce,
/// data go towards the parent; in a bcast everything runs backwards.
struct TreeEdge {
    std::int32_t peer;
    std::int32_t tree;   ///< number of the tree
    std::int32_t slot;   ///< when in a round it is used
    std::int32_t delay;  ///< in which round the first block crosses it; greater than those of the edges below
    bool to_parent;
    Operand side;  ///< on which side of the upper rank's operands those of the lower one stand
};

/// What a rank does with one segment after the other.
struct PipelineTask {
    enum class Kind : std::uint8_t { send, receive, combine };

    std::int32_t slot;   ///< when in a round
    std::int32_t delay;  ///< in which round with the first segment
    std::int32_t peer;
    std::int32_t tree;
    Kind kind;
    Operand side = Operand::left;  ///< of what it combines
};

/// Appends what a rank does over its edges in a reduce, bcast or allreduce. `slots`: of all trees; `rounds`: until the
/// first block has reached the root. In allreduce a round has the slots of reduce, then those of bcast, which go the
/// same ways back.
void add_tasks(std::vector<PipelineTask>& tasks, Collective collective, std::span<const TreeEdge> edges, int slots,
               int rounds);

/// Writes what a rank does while segments 0 .. segments-1 stream past it: of each of its tasks one segment a round, in
/// the order of slots. A step is a slot of a round. Segment s of tree t is block first + s * trees + t of `output`.
void write_pipeline(ProgramBuilder& builder, std::vector<PipelineTask> tasks, int segments, int first, int trees);

}  // namespace coll_topo
