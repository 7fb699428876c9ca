// SPDX-License-Identifier: BSD-3-Clause
//
// How a lane gets a vector from the root to the hosts of the box, and back.
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"

#include <algorithm>

namespace coll_topo::halving_doubling {

void LaneWriter::scatter_from_root() {
    const int place = root_place();
    exchange_with_root(place);
    if (in_box()) scatter_from_place(place);
}

void LaneWriter::gather_at_root() {
    const int place = root_place();
    if (in_box()) gather_at_place(place);
    exchange_with_root(place);
}

int LaneWriter::root_place() const {
    return grid_.place_of(grid_.host(problem_.root));
}

void LaneWriter::scatter_from_place(int place) {
    const auto& stages = stage_order_.stages();
    const auto differs = [&](const Stage& stage) {
        return stage_order_.member(host_, stage) != stage_order_.member(place, stage);
    };
    // The last stage in which this host differs from the place brings its share; in those behind it, it gives of that.
    const auto giving = std::find_if(stages.rbegin(), stages.rend(), differs).base();
    int first = 0, width = grid_.places();
    for (auto stage = stages.begin(); stage != stages.end(); ++stage) {
        const int own = stage_order_.member(host_, *stage);
        width /= stage->radix;
        if (stage + 1 == giving) {
            builder_.receive(member_rank(*stage, stage_order_.member(place, *stage)), share(first, width, own));
        }
        for (int turn = 1; turn < stage->radix && stage >= giving; ++turn) {
            const int to = (own + stage_order_.distance(host_, *stage, turn)) % stage->radix;
            builder_.send(member_rank(*stage, to), share(first, width, to));
        }
        builder_.next_step();
        first += own * width;
    }
}

void LaneWriter::gather_at_place(int place) {
    int first = stage_order_.position(host_), width = 1;
    for (auto stage = stage_order_.stages().rbegin(); stage != stage_order_.stages().rend(); ++stage) {
        const int own = stage_order_.member(host_, *stage), to = stage_order_.member(place, *stage);
        first -= own * width;
        if (own != to) {
            builder_.send(member_rank(*stage, to), share(first, width, own));
            builder_.next_step();
            return;
        }
        for (int turn = 1; turn < stage->radix; ++turn) {
            const int from = (own + turn) % stage->radix;
            builder_.receive(member_rank(*stage, from), share(first, width, from));
        }
        builder_.next_step();
        width *= stage->radix;
    }
}

void LaneWriter::exchange_with_root(int place) {
    for (int number = 0; number < problem_.aggregators; ++number) {
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

}  // namespace coll_topo::halving_doubling
