// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/chain.hpp"

namespace coll_topo {

void write_chain(ProgramBuilder& builder, const Problem& problem, int rank, int before, int after, int first) {
    const bool reduces = problem.collective == Collective::reduce;
    const int source = reduces ? after : before, target = reduces ? before : after;
    builder.lane();
    // A rank that receives sends a block one step later.
    const int delay = source < 0 ? 0 : 1;
    for (int step = 0; step < problem.segments + delay; ++step) {
        const Blocks arriving{Buffer::output, first + step, 1}, leaving{Buffer::output, first + step - delay, 1};
        if (source >= 0 && step < problem.segments) {
            if (reduces)
                builder.receive_reduce(source, arriving, source < rank ? Operand::left : Operand::right);
            else
                builder.receive(source, arriving);
        }
        if (target >= 0 && step >= delay) builder.send(target, leaving);
        builder.next_step();
    }
}

}  // namespace coll_topo
