// SPDX-License-Identifier: BSD-3-Clause
//
// How a lane gets a vector from the root to the hosts of the box, and back.
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/rooted_stages.hpp"

#include <algorithm>
#include <vector>

namespace coll_topo::halving_doubling {

/// Places as RootedStages has them.
class LaneWriter::Places {
public:
    explicit Places(const LaneWriter& lane) : lane_(lane), stages_(lane.stage_order_.stages()) {}

    int count() const { return static_cast<int>(stages_.size()); }
    int radix(int stage) const { return stages_[stage].radix; }
    int member(int place, int stage) const { return lane_.stage_order_.member(place, stages_[stage]); }
    int other(int place, int stage, int member) const {
        return lane_.stage_order_.place_of_member(place, stages_[stage], member);
    }
    int distance(int place, int stage, int turn) const {
        return lane_.stage_order_.distance(place, stages_[stage], turn);
    }
    int rank(int place) const { return lane_.peer(place); }
    Blocks held(int place, int width) const {
        return lane_.layout_.range(lane_.part_, lane_.stage_order_.position(place) / width * width, width);
    }

private:
    const LaneWriter& lane_;
    const std::vector<Stage>& stages_;
};

void LaneWriter::scatter_from_root() {
    exchange_with_root(0, problem_.aggregators);
    if (in_box()) RootedStages(Places(*this), host_, root_place()).scatter(builder_);
}

void LaneWriter::gather_at_root() {
    if (in_box()) gather_along_stages();
    exchange_with_root(0, problem_.aggregators);
}

void LaneWriter::gather_along_stages() {
    RootedStages(Places(*this), host_, root_place()).gather(builder_);
}

int LaneWriter::root_place() const {
    return grid_.place_of(grid_.host(problem_.root));
}

void LaneWriter::exchange_with_root(int begin, int end) {
    const int place = root_place();
    for (int number = begin; number < end; ++number) {
        const int aggregator = grid_.aggregator_rank(place, number, problem_.aggregators);
        if (aggregator == problem_.root || (rank_ != aggregator && rank_ != problem_.root)) continue;
        const bool sends = (rank_ == problem_.root) == (problem_.collective == Collective::bcast);
        const int other = rank_ == problem_.root ? aggregator : problem_.root;
        if (sends)
            builder_.send(other, layout_.part(number));
        else
            builder_.receive(other, layout_.part(number));
    }
    builder_.next_step();
}

double seconds_of_root(const Grid& grid, const Problem& problem, double bytes, StageOrderOf stage_order) {
    if (!has_root(problem.collective)) return 0;
    const bool scatters = problem.collective == Collective::bcast;
    // Between the root and the aggregators of its host. Who receives takes the time: each of these for itself, or the
    // root for all.
    const int others = problem.aggregators - 1, in_turn = scatters ? std::min(others, 1) : others;
    return seconds_at_root(grid, problem.lanes, stage_order, scatters, bytes) +
           within_host_seconds(grid.costs_together(), in_turn, bytes / problem.aggregators);
}

}  // namespace coll_topo::halving_doubling
