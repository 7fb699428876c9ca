// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/tree_pace.hpp"

#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/tree/chain.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

/// From simulations on 16 to 32 hosts of 4 ranks: a link waits for ranks now and then, and the rank that sends most
/// does some of it while it would wait, unless it does little else.
constexpr double link_waits = 1.03, starts_that_count = 0.8;

/// The longest way from the root in hops and in seconds, if each hop takes so many.
class LongestWay {
public:
    explicit LongestWay(const std::vector<std::int32_t>& parents) : parents_(parents), ways_(parents.size()) {}

    template <typename Hop>
    void find(Hop&& hop) {
        std::vector<std::int32_t> below;
        for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(parents_.size()); ++rank) {
            std::int32_t above = rank;
            for (; ways_[above].hops == 0 && parents_[above] >= 0; above = parents_[above]) below.push_back(above);
            for (; !below.empty(); below.pop_back()) {
                const std::int32_t child = below.back();
                const Way& before = ways_[parents_[child]];
                ways_[child] = {before.hops + 1, before.seconds + hop(parents_[child], child)};
                hops = std::max(hops, ways_[child].hops);
                seconds = std::max(seconds, ways_[child].seconds);
            }
        }
    }

    int hops = 0;
    double seconds = 0;

private:
    struct Way {
        int hops = 0;
        double seconds = 0;
    };

    const std::vector<std::int32_t>& parents_;
    std::vector<Way> ways_;  // by rank
};

/// What the ranks and links do for one block of each lane.
class Load {
public:
    Load(const Grid& grid, double block) : grid_(grid), cost_(grid), block_(block), ranks_(grid.ranks()) {}

    /// Adds a message, which the receiver combines if it takes `combining` seconds; gives its seconds alone.
    double add(int from, int to, double combining) {
        const MachineCosts machine = cost_.machine();
        const bool local = grid_.host(from) == grid_.host(to);
        cost_.message(from, to, block_);
        ranks_[from].starts += machine.message(local);
        ranks_[to].moves += combining + (local ? block_ / machine.local_bandwidth : 0);
        const double way = cost_.alone(from, to, block_) + combining;
        if (!local) slowest_ = std::max(slowest_, way);
        return way;
    }

    double busiest_link() { return cost_.take().transfer; }
    double busiest_rank() const {
        double busiest = 0;
        for (const Rank& rank : ranks_) {
            busiest = std::max({busiest, rank.starts, starts_that_count * rank.starts + rank.moves});
        }
        return busiest;
    }
    double most_starts() const { return starts_that_count * std::ranges::max(ranks_, {}, &Rank::starts).starts; }
    /// Between hosts.
    double slowest_message() const { return slowest_; }

private:
    struct Rank {
        double starts = 0;
        double moves = 0;
    };

    const Grid& grid_;
    RankOrderCost cost_;
    double block_;
    std::vector<Rank> ranks_;
    double slowest_ = 0;
};

}  // namespace

TreePace tree_pace(const Grid& grid, const VisitingTrees& trees, Collective collective, double block) {
    const bool combines = coll_topo::combines(collective), both = collective == Collective::allreduce;
    const double combining = combines ? block / grid.costs_together().reduce_bandwidth : 0;
    Load load(grid, block);
    TreePace result;
    for (int lane = 0; lane < trees.lanes(); ++lane) {
        const std::vector<std::int32_t> parents = trees.parents(lane);
        LongestWay way(parents);
        way.find([&](int parent, int child) {
            const double up = combines ? load.add(child, parent, combining) : 0;
            return up + (!combines || both ? load.add(parent, child, 0) : 0);
        });
        result.first = std::max(result.first, way.seconds);
        result.depth = std::max(result.depth, way.hops);
    }
    result.link = link_waits * load.busiest_link();
    result.rank = load.busiest_rank();
    result.starts = load.most_starts();
    result.hop = link_waits * load.slowest_message() / (combines ? 2 : chain_blocks_under_way);
    return result;
}

}  // namespace coll_topo
