// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"

namespace coll_topo {

/// A range of blocks in a buffer.
struct Blocks {
    Buffer buffer;
    std::int32_t first;
    std::int32_t count;
};

/// Writes the program of one rank, step by step. Transfers and copies of no blocks, and steps left empty, vanish.
class ProgramBuilder {
public:
    ProgramBuilder(int blocks, int scratch_blocks);

    /// Starts a new lane; what follows belongs to it.
    void lane(int window = 1, int sends_at_once = 0);
    /// Ends the current step of the lane; what follows is the next step.
    void next_step();

    void send(int peer, Blocks from);
    void receive(int peer, Blocks into);
    void receive_reduce(int peer, Blocks into, Operand received_stands);
    void copy(Blocks from, Buffer target, std::int32_t at);
    /// Folds `from` into as many blocks of `target`; the value of `from` stands on the given side.
    void reduce(Blocks from, Buffer target, std::int32_t at, Operand from_stands);

    /// The program, with what the executor must know about overlaps filled in. The builder is spent.
    Program finish(std::vector<std::int32_t> scratch_order = {});

private:
    void add(ActionKind kind, int peer, Blocks blocks, Buffer target, std::int32_t at, Operand operand);
    void close_lane();

    Program program_;
    std::int32_t step_begin_ = 0;
};

/// Lowers Step::passes_sends to `most` where it is more, so that fewer messages to a rank share its links.
void limit_sends_passed(Program& program, int most);

}  // namespace coll_topo
