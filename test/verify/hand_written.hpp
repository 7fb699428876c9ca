// SPDX-License-Identifier: BSD-3-Clause
//
// Right schedules of the simplest kind, for tests of the proof and the executor.
#pragma once

#include "test/verify/program_writer.hpp"

namespace coll_topo::test {

/// Every rank passes the vector on to the next, block by block, from the root round to the rank before it.
inline Schedule chain_bcast(int ranks, int root, int blocks) {
    Schedule schedule;
    for (int rank = 0; rank < ranks; ++rank) {
        ProgramWriter writer(blocks);
        const bool last = (rank + 1) % ranks == root;
        writer.lane();
        for (int block = 0; block <= blocks; ++block) {
            const int arriving = rank == root ? blocks : block, leaving = rank == root ? block : block - 1;
            const bool receives = arriving < blocks, sends = !last && leaving >= 0 && leaving < blocks;
            if (!receives && !sends) continue;
            writer.step();
            if (receives) writer.receive((rank + ranks - 1) % ranks, output(arriving));
            if (sends) writer.send((rank + 1) % ranks, output(leaving));
        }
        schedule.push_back(writer);
    }
    return schedule;
}

/// Everyone sends its vector to the root, which combines them in rank order.
inline Schedule star_reduce(int ranks, int root) {
    Schedule schedule;
    for (int rank = 0; rank < ranks; ++rank) {
        ProgramWriter writer(1);
        writer.lane();
        if (rank != root) {
            writer.step().send(root, output(0));
        } else if (ranks > 1) {
            writer.step();
            for (int left = root - 1; left >= 0; --left) writer.receive_reduce(left, output(0), Operand::left);
            for (int right = root + 1; right < ranks; ++right) writer.receive_reduce(right, output(0), Operand::right);
        }
        schedule.push_back(writer);
    }
    return schedule;
}

/// Everything at once.
inline Schedule linear_alltoall(int ranks) {
    Schedule schedule;
    for (int rank = 0; rank < ranks; ++rank) {
        ProgramWriter writer(ranks);
        writer.lane().step();
        for (int turn = 1; turn < ranks; ++turn) {
            const int from = (rank + ranks - turn) % ranks;
            writer.receive(from, output(from));
        }
        for (int turn = 1; turn < ranks; ++turn) {
            const int to = (rank + turn) % ranks;
            writer.send(to, input(to));
        }
        writer.copy(input(rank), output(rank));
        schedule.push_back(writer);
    }
    return schedule;
}

/// Bruck's: a piece for the rank d places on goes the way of the bits of d. Scratch holds the pieces by d, then those
/// packed to be sent, then those received.
inline Schedule bruck_alltoall(int ranks) {
    Schedule schedule;
    for (int rank = 0; rank < ranks; ++rank) {
        ProgramWriter writer(ranks, 3 * ranks);
        writer.lane().step();
        for (int d = 0; d < ranks; ++d) writer.copy(input((rank + d) % ranks), scratch(d));
        for (int bit = 1; bit < ranks; bit *= 2) {
            std::vector<int> moving;
            for (int d = 0; d < ranks; ++d) {
                if ((d & bit) != 0) moving.push_back(d);
            }
            const int count = static_cast<int>(moving.size());
            for (int i = 0; i < count; ++i) writer.copy(scratch(moving[i]), scratch(ranks + i));
            writer.step();
            writer.receive((rank + ranks - bit) % ranks, scratch(2 * ranks, count));
            writer.send((rank + bit) % ranks, scratch(ranks, count));
            for (int i = 0; i < count; ++i) writer.copy(scratch(2 * ranks + i), scratch(moving[i]));
        }
        for (int d = 0; d < ranks; ++d) writer.copy(scratch(d), output((rank + ranks - d) % ranks));
        schedule.push_back(writer);
    }
    return schedule;
}

}  // namespace coll_topo::test
