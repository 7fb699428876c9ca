// SPDX-License-Identifier: BSD-3-Clause
// Schedules of the reference algorithms on ranks in a row.
#pragma once

#include "test/algorithm/rounds.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <bit>
#include <cstdint>
#include <numeric>
#include <string_view>

namespace coll_topo {

inline constexpr int some_ranks[] = {2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 32, 33};

inline Schedule on_line(std::string_view algorithm, const Problem& problem, int ranks) {
    return test::build_all(*find_algorithm(algorithm), test::full_grid({ranks}), problem);
}

inline int ceil_log2(int number) {
    return std::bit_width(static_cast<unsigned>(number - 1));
}

inline std::int64_t blocks_sent_by_all(const Schedule& schedule) {
    return std::accumulate(schedule.begin(), schedule.end(), std::int64_t{0},
                           [](std::int64_t sum, const Program& program) { return sum + blocks_sent(program); });
}

}  // namespace coll_topo
