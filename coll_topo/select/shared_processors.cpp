// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/shared_processors.hpp"

#include <algorithm>
#include <cstdint>

namespace coll_topo {
namespace {

/// That all ranks send. Of many ranks some are looked at, spread evenly and the root among them.
double message_count(const Algorithm& algorithm, const Grid& grid, const Problem& problem) {
    constexpr int most_looked_at = 256;
    const int ranks = grid.ranks();
    const int looked_at = std::min(ranks, most_looked_at);
    double sends = 0;
    for (std::int64_t i = 0; i < looked_at; ++i) {
        const int rank = static_cast<int>((problem.root + i * ranks / looked_at) % ranks);
        const Program program = algorithm.build(grid, problem, rank);
        sends += static_cast<double>(std::ranges::count_if(program.actions, is_send));
    }
    return sends * ranks / looked_at;
}

}  // namespace

SharedProcessors::SharedProcessors(const Algorithm& algorithm, const Grid& grid, const Problem& problem) {
    const double message_time = grid.costs().shared_message_time;
    if (message_time == 0) return;
    Problem few = problem;
    few.segments = 1;
    one_segment_ = message_time * message_count(algorithm, grid, few);
    if (!algorithm.uses_segments) return;
    few.segments = 2;
    each_of_more_ = message_time * message_count(algorithm, grid, few) / 2;
}

double predicted_seconds(const Algorithm& algorithm, const Grid& grid, const Problem& problem, double bytes) {
    return algorithm.seconds(grid, problem, bytes) +
           SharedProcessors(algorithm, grid, problem).seconds(problem.segments);
}

}  // namespace coll_topo
