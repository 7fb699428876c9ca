// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/prediction.hpp"

#include "coll_topo/schedule/latency_bound.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/select/spread_sample.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace coll_topo {
namespace {

constexpr int most_looked_at = 256;

/// Seconds that a rank takes of processors that hosts share: for its messages, one within a host as much less as it
/// takes less of its rank, and each time it waits for some. In pipelines ranks are at work when messages come.
double shared_seconds_of(const Program& program, const Grid& grid, const Problem& problem, int rank) {
    const double each_wait = problem.segments == 1 ? grid.costs().waking_time() : 0;
    double seconds = 0;
    for (const Step& step : program.steps) {
        bool waits = false;
        for (const Action& action : program.actions_of(step)) {
            waits = waits || is_receive(action);
            if (is_send(action)) seconds += grid.costs().shared_message(grid.host(rank) == grid.host(action.peer));
        }
        if (waits) seconds += each_wait;
    }
    return seconds;
}

/// The same of each rank where no rank is special, and it takes long to build all programs: if some that are spread
/// over hosts that are alike all send alike.
std::optional<double> shared_seconds_of_each(const Algorithm& algorithm, const Grid& grid, const Problem& problem) {
    constexpr int looked_at = 8;
    const Collective collective = problem.collective;
    const bool special = is_rooted(collective) || is_prefix(collective);
    const bool alike = grid.extra_hosts() == 0 && grid.fewest_ranks_per_host() == grid.most_ranks_per_host();
    if (special || !alike || algorithm.build_all != nullptr || grid.ranks() <= looked_at) return std::nullopt;
    std::optional<double> of_each;
    for (const std::size_t number : spread_sample(grid.ranks(), looked_at)) {
        const int rank = static_cast<int>(number);
        const double seconds = shared_seconds_of(algorithm.build(grid, problem, rank), grid, problem, rank);
        if (of_each && seconds != *of_each) return std::nullopt;
        of_each = seconds;
    }
    return of_each;
}

/// The same for all ranks. Of many only a sample is counted, spread evenly and with the root in it.
double shared_seconds(const Algorithm& algorithm, const Grid& grid, const Problem& problem) {
    const int ranks = grid.ranks();
    if (const auto of_each = shared_seconds_of_each(algorithm, grid, problem)) return *of_each * ranks;
    double seconds = 0;
    if (ranks <= most_looked_at) {
        int rank = 0;
        for (const Program& program : algorithm.all_programs(grid, problem)) {
            seconds += shared_seconds_of(program, grid, problem, rank++);
        }
        return seconds;
    }
    for (std::int64_t i = 0; i < most_looked_at; ++i) {
        const int rank = static_cast<int>((problem.root + i * ranks / most_looked_at) % ranks);
        seconds += shared_seconds_of(algorithm.build(grid, problem, rank), grid, problem, rank);
    }
    return seconds * ranks / most_looked_at;
}

}  // namespace

Prediction::Prediction(const Algorithm& algorithm, const Grid& grid, const Problem& problem)
    : algorithm_(algorithm), grid_(grid), problem_(problem) {
    if (grid.hosts() == 1 && TimeSharing::applies(grid)) {
        time_sharing_.emplace(algorithm, grid, problem_);
        return;
    }
    if (grid.costs().shared_message_time == 0) return;
    problem_.segments = 1;
    shared_of_one_segment_ = shared_seconds(algorithm, grid, problem_);
    if (!algorithm.uses_segments) return;
    problem_.segments = 2;
    shared_of_each_more_ = shared_seconds(algorithm, grid, problem_) / 2;
}

double Prediction::waiting(double bytes) const {
    if (bytes > latency_bound_bytes) return 0;
    if (!waiting_)
        waiting_ = waiting_among_hosts(algorithm_, grid_, problem_, grid_.costs().waiting_for_turn(grid_.ranks()));
    return *waiting_;
}

double Prediction::by_formula(int segments, double bytes) const {
    if (algorithm_.seconds_in_segments != nullptr) {
        if (!formula_) formula_ = algorithm_.seconds_in_segments(grid_, problem_);
        return formula_(segments, bytes);
    }
    Problem problem = problem_;
    problem.segments = segments;
    return algorithm_.seconds(grid_, problem, bytes);
}

double Prediction::seconds(int segments, double bytes) const {
    const double own = by_formula(segments, bytes);
    if (time_sharing_) return std::max(own, time_sharing_->work(segments, bytes)) + time_sharing_->waiting(segments);
    if (shared_of_one_segment_ == 0) return own;
    if (segments == 1) return own + shared_of_one_segment_ + waiting(bytes);
    return std::max(own, by_formula(segments, 0) + segments * shared_of_each_more_);
}

namespace {

double seconds_of_cells(const Prediction& prediction, int ranks, int segments, std::size_t room) {
    return prediction.seconds(segments, (bytes_of_size + static_cast<double>(room)) * ranks);
}

/// All cells by this schedule.
SizesAhead cells_by(const Algorithm& algorithm, const Prediction& prediction, int ranks, int segments) {
    constexpr std::size_t least = 8, most = 512;
    SizesAhead best{&algorithm, 0, seconds_of_cells(prediction, ranks, segments, 0)};
    const double limit = 2 * best.seconds;
    for (std::size_t room = least; room <= most; room *= 2) {
        const double seconds = seconds_of_cells(prediction, ranks, segments, room);
        if (seconds > limit) break;
        best.room = room;
        best.seconds = seconds;
    }
    return best;
}

/// Directly between the root and all others, if that is faster than all cells by the schedule, which take so long. No
/// rank can hear many others in good time. A cell has no more than its piece then, so that room costs nothing: there is
/// as much as does not take longer than all that follows where pieces are long.
std::optional<SizesAhead> cells_directly(const Prediction& of_pieces, const Grid& grid, const Problem& problem,
                                         double by_schedule) {
    constexpr int most_ranks = 256;
    constexpr std::size_t least = 8, most = 1024;
    const Algorithm* const direct = find_algorithm("linear");
    const int ranks = grid.ranks();
    if (direct == nullptr || ranks > most_ranks) return std::nullopt;
    const Prediction cells(*direct, grid, {.collective = problem.collective, .root = problem.root});
    const double sizes = seconds_of_cells(cells, ranks, 1, 0);
    if (sizes >= by_schedule) return std::nullopt;
    const Prediction answers(*direct, grid, {.collective = Collective::scatter, .root = problem.root});
    const double ahead = sizes + answers.seconds(1, ranks) + seconds_of_cells(of_pieces, ranks, problem.segments, 0);
    std::size_t room = least;
    while (room < most && seconds_of_cells(cells, ranks, 1, 2 * room) <=
                              ahead + of_pieces.seconds(problem.segments, 2. * static_cast<double>(room) * ranks)) {
        room *= 2;
    }
    return SizesAhead{direct, room, ahead};
}

SizesAhead sizes_ahead(const Algorithm& algorithm, const Prediction& prediction, const Grid& grid,
                       const Problem& problem, bool may_go_directly) {
    const SizesAhead own = cells_by(algorithm, prediction, grid.ranks(), problem.segments);
    if (!may_go_directly) return own;
    return cells_directly(prediction, grid, problem, own.seconds).value_or(own);
}

}  // namespace

SizesAhead sizes_ahead(const Algorithm& algorithm, const Grid& grid, const Problem& problem, bool may_go_directly) {
    if (algorithm.direct) return {};
    return sizes_ahead(algorithm, Prediction(algorithm, grid, problem), grid, problem, may_go_directly);
}

double seconds_ahead(Call call, const Algorithm& algorithm, const Grid& grid, const Problem& problem) {
    return has_unequal_pieces(call) ? sizes_ahead(algorithm, grid, problem, true).seconds : 0;
}

double seconds_of(Call call, const Prediction& prediction, const Algorithm& algorithm, const Grid& grid,
                  const Problem& problem, double bytes) {
    const double seconds = prediction.seconds(problem.segments, bytes);
    if (!has_unequal_pieces(call) || algorithm.direct) return seconds;
    return seconds + sizes_ahead(algorithm, prediction, grid, problem, true).seconds;
}

double seconds_of(Call call, const Algorithm& algorithm, const Grid& grid, const Problem& problem, double bytes) {
    return seconds_of(call, Prediction(algorithm, grid, problem), algorithm, grid, problem, bytes);
}

}  // namespace coll_topo
