// SPDX-License-Identifier: BSD-3-Clause
//
// How a lane gets a vector from the root to the hosts of the box, and back.
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"

#include "coll_topo/algorithm/stages/rooted_stages.hpp"

#include <vector>

namespace coll_topo::halving_doubling {

/// The stages of a host as groups.
class LaneWriter::Groups {
public:
    explicit Groups(const LaneWriter& lane) : lane_(lane), root_(lane.root_place()) {
        int first = 0, width = lane.grid_.places();
        for (const Stage& stage : lane.stage_order_.stages()) {
            width /= stage.radix;
            shares_.push_back({first, width});
            first += lane.stage_order_.member(lane.host_, stage) * width;
        }
    }

    int count() const { return static_cast<int>(shares_.size()); }
    int radix(int group) const { return stage(group).radix; }
    int own(int group) const { return lane_.stage_order_.member(lane_.host_, stage(group)); }
    int root(int group) const { return lane_.stage_order_.member(root_, stage(group)); }
    int rank_of(int group, int member) const { return lane_.member_rank(stage(group), member); }
    Blocks share(int group, int member) const {
        return lane_.share(shares_[group].first, shares_[group].width, member);
    }
    int distance(int group, int turn) const { return lane_.stage_order_.distance(lane_.host_, stage(group), turn); }

private:
    struct Shares {
        int first, width;  // see LaneWriter::share
    };

    const Stage& stage(int group) const { return lane_.stage_order_.stages()[group]; }

    const LaneWriter& lane_;
    const int root_;
    std::vector<Shares> shares_;
};

void LaneWriter::scatter_from_root() {
    exchange_with_root();
    if (in_box()) scatter_in_groups(builder_, Groups(*this));
}

void LaneWriter::gather_at_root() {
    if (in_box()) gather_in_groups(builder_, Groups(*this));
    exchange_with_root();
}

int LaneWriter::root_place() const {
    return grid_.place_of(grid_.host(problem_.root));
}

void LaneWriter::exchange_with_root() {
    const int place = root_place();
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
