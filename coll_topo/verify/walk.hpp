// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/schedule/program.hpp"

#include <cstdint>
#include <string>

namespace coll_topo::verify {

/// "rank 3, lane 0, step 2: ", how the findings of the proof begin. The step is counted within its lane.
inline std::string place(int rank, int lane, int step) {
    return "rank " + std::to_string(rank) + ", lane " + std::to_string(lane) + ", step " + std::to_string(step) + ": ";
}

/// Calls check(lane, step) for every step, numbered within the program, and fails with the first answer that is not
/// empty, naming the place.
template <typename Check>
Expected<void> check_steps(const Program& program, int rank, Check&& check) {
    for (std::size_t lane = 0; lane < program.lanes.size(); ++lane) {
        const Lane& part = program.lanes[lane];
        for (std::int32_t step = part.begin_step; step < part.end_step; ++step) {
            const std::string wrong = check(static_cast<int>(lane), step);
            if (wrong.empty()) continue;
            return failure(place(rank, static_cast<int>(lane), step - part.begin_step) + wrong);
        }
    }
    return {};
}

}  // namespace coll_topo::verify
