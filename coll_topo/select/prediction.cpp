// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/prediction.hpp"

#include "coll_topo/schedule/latency_bound.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/select/program_replay.hpp"
#include "coll_topo/select/replayed_prediction.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace coll_topo {
namespace {

constexpr int most_looked_at = 256;

/// Messages that all ranks send. Of many ranks only a sample is counted, spread evenly and with the root in it.
double message_count(const Algorithm& algorithm, const Grid& grid, const Problem& problem) {
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

/// The schedule, if it is to be replayed.
std::vector<Program> replayed_programs(const Algorithm& algorithm, const Grid& grid, const Problem& problem) {
    std::vector<Program> programs;
    if (grid.costs().link_burst == 0 || grid.ranks() > most_looked_at) return programs;
    for (int rank = 0; rank < grid.ranks(); ++rank) programs.push_back(algorithm.build(grid, problem, rank));
    return can_be_replayed(programs) ? programs : std::vector<Program>();
}

}  // namespace

Prediction::Prediction(const Algorithm& algorithm, const Grid& grid, const Problem& problem)
    : algorithm_(algorithm), grid_(grid), problem_(problem) {
    const double message_time = grid.costs().shared_message_time;
    problem_.segments = 1;
    replayed_ = replayed_programs(algorithm, grid, problem_);
    if (message_time == 0) return;
    shared_of_one_segment_ = message_time * message_count(algorithm, grid, problem_);
    if (!algorithm.uses_segments) return;
    problem_.segments = 2;
    shared_of_each_more_ = message_time * message_count(algorithm, grid, problem_) / 2;
}

double Prediction::seconds(int segments, double bytes) const {
    Problem problem = problem_;
    problem.segments = segments;
    const bool replays = !replayed_.empty() && segments == 1 && bytes <= latency_bound_bytes;
    const double own = replays ? replayed_seconds(grid_, replayed_, bytes) : algorithm_.seconds(grid_, problem, bytes);
    if (shared_of_one_segment_ == 0) return own;
    if (segments == 1) return own + shared_of_one_segment_;
    return std::max(own, algorithm_.seconds(grid_, problem, 0) + segments * shared_of_each_more_);
}

double Prediction::close_seconds(int segments, double bytes) const {
    Problem problem = problem_;
    problem.segments = segments;
    const std::optional<double> replayed = replayed_prediction(algorithm_, grid_, problem, bytes);
    return replayed ? *replayed : seconds(segments, bytes);
}

namespace {

/// Of the run of a schedule with the sizes of pieces, and room for short ones.
struct SizesAhead {
    std::size_t room = 0;
    double seconds = 0;
};

SizesAhead sizes_ahead(const Prediction& prediction, int ranks, int segments) {
    constexpr std::size_t least = 8, most = 512;
    const auto run = [&](std::size_t room) {
        return prediction.seconds(segments, (bytes_of_size + static_cast<double>(room)) * ranks);
    };
    SizesAhead best{0, run(0)};
    const double limit = 2 * best.seconds;
    for (std::size_t room = least; room <= most; room *= 2) {
        const double seconds = run(room);
        if (seconds > limit) break;
        best = {room, seconds};
    }
    return best;
}

}  // namespace

std::size_t short_piece_bytes(const Algorithm& algorithm, const Grid& grid, const Problem& problem) {
    if (algorithm.direct) return 0;
    return sizes_ahead(Prediction(algorithm, grid, problem), grid.ranks(), problem.segments).room;
}

namespace {

double seconds_ahead(Call call, const Prediction& prediction, const Algorithm& algorithm, const Grid& grid,
                     int segments) {
    if (!has_unequal_pieces(call) || algorithm.direct) return 0;
    return sizes_ahead(prediction, grid.ranks(), segments).seconds;
}

}  // namespace

double seconds_of(Call call, const Prediction& prediction, const Algorithm& algorithm, const Grid& grid, int segments,
                  double bytes) {
    return prediction.seconds(segments, bytes) + seconds_ahead(call, prediction, algorithm, grid, segments);
}

double close_seconds_of(Call call, const Prediction& prediction, const Algorithm& algorithm, const Grid& grid,
                        int segments, double bytes) {
    if (call == Call::barrier) return seconds_of(call, prediction, algorithm, grid, segments, bytes);
    return prediction.close_seconds(segments, bytes) + seconds_ahead(call, prediction, algorithm, grid, segments);
}

}  // namespace coll_topo
