// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/replay/schedule_replay.hpp"
#include "test/verify/program_writer.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace coll_topo::test {

/// The programs of all ranks with `bytes` of data.
inline std::vector<SizedProgram> sized_all(Collective collective, std::vector<Program> programs, std::uint64_t bytes) {
    std::vector<SizedProgram> all;
    const int ranks = static_cast<int>(programs.size());
    for (int rank = 0; rank < ranks; ++rank)
        all.push_back(sized(collective, std::move(programs[rank]), rank, ranks, bytes));
    return all;
}

inline std::optional<double> replayed_seconds(const Grid& grid, Collective collective, std::vector<Program> programs,
                                              std::uint64_t bytes) {
    return ScheduleReplay(grid).seconds(sized_all(collective, std::move(programs), bytes));
}

/// Of 4 hosts with 2 ranks each. Rank 1 gets so many of 100 blocks from rank 0 of its host, in as many lanes; in a last
/// lane it gets some from rank 2 of another host, and sends them to rank 6 of a third.
inline std::vector<Program> passing_on(const std::vector<int>& copied, int passed_on) {
    std::vector<ProgramWriter> writers(8, ProgramWriter(100));
    for (const int blocks : copied) {
        for (ProgramWriter& writer : writers) writer.lane();
        writers[0].step().send(1, output(0, blocks));
        writers[1].step().receive(0, output(0, blocks));
    }
    for (ProgramWriter& writer : writers) writer.lane();
    writers[2].step().send(1, output(0, passed_on));
    writers[1].step().receive(2, output(0, passed_on)).step().send(6, output(0, passed_on));
    writers[6].step().receive(1, output(0, passed_on));
    return {writers.begin(), writers.end()};
}

}  // namespace coll_topo::test
