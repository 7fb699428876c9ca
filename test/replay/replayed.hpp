// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/replay/schedule_replay.hpp"

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

}  // namespace coll_topo::test
