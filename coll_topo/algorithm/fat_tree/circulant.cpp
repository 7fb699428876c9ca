// SPDX-License-Identifier: BSD-3-Clause
//
// Reduce-scatter and allgather of any number of hosts in as few steps as can be, and nothing moved twice.
//
//     allgather, 5 hosts: what host 0 holds           reduce_scatter: the same backwards
//     start   0                                       host 0 sends the sums for 4            to host 4,
//     step 0  0 1            from host 1              ... for 2, 3                           to host 2,
//     step 1  0 1 2 3        from host 2              ... for 1                              to host 1,
//     step 2  0 1 2 3 4      from host 4              and adds what it gets to its own
//
// Halving and doubling need a box of hosts: of a job with 5, 7 and 4 hosts under three leaves it leaves some out, which
// first hand everything to others and get it back last. Here all hosts are alike, whatever their number: ceil(log2 h)
// steps each way, and (h-1)/h of the vector in and out of every host. Hosts stand leaf by leaf, so that short distances
// stay under a leaf. The first rank of each host sends for all of its host. With circulant_of_ranks every rank stands
// for itself, which no host with many ranks delays.
//
// Slot i of scratch is the piece of the i-th rank from the first one of the own host on, in the order of switches.
//
// Cost for m bytes on h hosts of q ranks, l_k as the shift by 2^k loads ports and uplinks, r = 1/reduction or 0:
//     sum_k [ o + latency + n_k·m/h·(l_k/bandwidth + r) ] each way, n_k = min(2^k, h - 2^k); the host; and the copies.
//
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all communications in multiport
// message-passing systems", IEEE TPDS 8(11), 1997; backwards: Träff, "Optimal, non-pipelined reduce-scatter and
// allreduce algorithms", arXiv 2410.14234, 2024.
// Needs: leaves. Combines in an order of its own.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo::algorithms {
namespace {

enum class Unit { host, rank };

/// Hosts, or single ranks, in the order of switches, and where the ranks of each begin in that.
class UnitsInOrder {
public:
    UnitsInOrder(const Grid& grid, Unit unit) : grid_(grid), begin_{0} {
        const auto& ranks = grid.ranks_by_switches();
        for (int number = 1; number < grid.ranks(); ++number) {
            if (unit == Unit::rank || grid.host(ranks[number]) != grid.host(ranks[number - 1])) {
                begin_.push_back(number);
            }
        }
        begin_.push_back(grid.ranks());
    }

    int count() const { return static_cast<int>(begin_.size()) - 1; }
    /// Units may be counted on for once round.
    int begin(int unit) const { return begin_[unit % count()] + unit / count() * grid_.ranks(); }
    /// The rank that sends for its unit.
    int leader(int unit) const { return grid_.ranks_by_switches()[begin_[unit % count()]]; }
    int unit_of(int rank) const {
        const int number = grid_.number_by_switches(rank);
        return static_cast<int>(std::ranges::upper_bound(begin_, number) - begin_.begin()) - 1;
    }
    std::span<const std::int32_t> ranks(int unit) const {
        return std::span(grid_.ranks_by_switches()).subspan(begin_[unit], begin_[unit + 1] - begin_[unit]);
    }

private:
    const Grid& grid_;
    std::vector<std::int32_t> begin_;
};

/// Units whose pieces a step moves, `distance` units further on.
int units_moved(int distance, int units) {
    return std::min(distance, units - distance);
}

/// The distances of allgather, in turn.
std::vector<int> distances(int units) {
    std::vector<int> distances;
    for (int distance = 1; distance < units; distance *= 2) distances.push_back(distance);
    return distances;
}

class Writer {
public:
    Writer(const Grid& grid, Unit unit, int rank)
        : grid_(grid),
          units_(grid, unit),
          rank_(rank),
          unit_(units_.unit_of(rank)),
          leader_(units_.leader(unit_)),
          rank_at_slot_(grid.ranks_by_switches()),
          builder_(grid.ranks(), grid.ranks()) {
        std::ranges::rotate(rank_at_slot_, rank_at_slot_.begin() + units_.begin(unit_));
    }

    Program reduce_scatter() {
        builder_.lane();
        for_neighbours([&](int slot, int count) {
            builder_.copy({Buffer::input, rank_at_slot_[slot], count}, Buffer::scratch, slot);
        });
        from_others([&](int other) { builder_.receive_reduce(other, everything(), Operand::right); },
                    [&] { builder_.send(leader_, everything()); });
        if (is_leader()) reduce_scatter_between_units();
        from_others([&](int other) { builder_.send(other, piece_of(other)); },
                    [&] { builder_.receive(leader_, piece_of(rank_)); });
        builder_.copy(piece_of(rank_), Buffer::output, rank_);
        return builder_.finish(std::move(rank_at_slot_));
    }

    Program allgather() {
        builder_.lane();
        builder_.copy({Buffer::input, rank_, 1}, Buffer::scratch, slot_of(rank_));
        builder_.next_step();
        from_others([&](int other) { builder_.receive(other, piece_of(other)); },
                    [&] { builder_.send(leader_, piece_of(rank_)); });
        if (is_leader()) allgather_between_units();
        from_others([&](int other) { builder_.send(other, everything()); },
                    [&] { builder_.receive(leader_, everything()); });
        for_neighbours([&](int slot, int count) {
            builder_.copy({Buffer::scratch, slot, count}, Buffer::output, rank_at_slot_[slot]);
        });
        return builder_.finish(std::move(rank_at_slot_));
    }

private:
    bool is_leader() const { return rank_ == leader_; }
    int slot_of(int rank) const { return grid_.number_by_switches(rank) - units_.begin(unit_); }
    Blocks piece_of(int rank) const { return {Buffer::scratch, slot_of(rank), 1}; }
    Blocks everything() const { return {Buffer::scratch, 0, grid_.ranks()}; }

    /// The slots, as many at once as are of ranks one after the other.
    template <typename Use>
    void for_neighbours(Use&& use) {
        const int count = grid_.ranks();
        for (int slot = 0, next = 0; slot < count; slot = next) {
            for (next = slot + 1; next < count && rank_at_slot_[next] == rank_at_slot_[next - 1] + 1;) ++next;
            use(slot, next - slot);
        }
        builder_.next_step();
    }

    /// A message between the leader and each other rank of the unit.
    template <typename AtLeader, typename AtOther>
    void from_others(AtLeader&& at_leader, AtOther&& at_other) {
        if (is_leader()) {
            for (const std::int32_t other : units_.ranks(unit_)) {
                if (other != rank_) at_leader(other);
            }
        } else {
            at_other();
        }
        builder_.next_step();
    }

    void reduce_scatter_between_units() {
        auto turns = distances(units_.count());
        std::ranges::reverse(turns);
        for (const int distance : turns) {
            builder_.receive_reduce(units_.leader(unit_ + units_.count() - distance), pieces(0, distance),
                                    Operand::right);
            builder_.send(units_.leader(unit_ + distance), pieces(distance, distance));
            builder_.next_step();
        }
    }

    void allgather_between_units() {
        for (const int distance : distances(units_.count())) {
            builder_.receive(units_.leader(unit_ + distance), pieces(distance, distance));
            builder_.send(units_.leader(unit_ + units_.count() - distance), pieces(0, distance));
            builder_.next_step();
        }
    }

    /// Of the units that a step of this distance moves, the first one `from` units further on.
    Blocks pieces(int from, int distance) const {
        const int end = unit_ + from + units_moved(distance, units_.count());
        const int first = units_.begin(unit_ + from) - units_.begin(unit_);
        return {Buffer::scratch, first, units_.begin(end) - units_.begin(unit_) - first};
    }

    const Grid& grid_;
    const UnitsInOrder units_;
    const int rank_;
    const int unit_;
    const int leader_;
    std::vector<std::int32_t> rank_at_slot_;
    ProgramBuilder builder_;
};

template <Unit unit>
Program build(const Grid& grid, const Problem& problem, int rank) {
    Writer writer(grid, unit, rank);
    return combines(problem.collective) ? writer.reduce_scatter() : writer.allgather();
}

template <Unit unit>
double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const double reduction = combines(problem.collective) ? 1 / costs.reduce_bandwidth : 0;
    const UnitsInOrder units(grid, unit);
    RankOrderCost cost(grid);
    double seconds = 0;
    for (const int distance : distances(units.count())) {
        const double moved = bytes * units_moved(distance, units.count()) / units.count();
        for (int sender = 0; sender < units.count(); ++sender) {
            cost.message(units.leader(sender), units.leader(sender + distance), moved);
        }
        seconds += cost.step() + moved * reduction;
    }
    // The first rank of a host moves whole vectors of all others in reduce_scatter, and pieces in allgather; of what it
    // sends to them each moves its own.
    const int others = unit == Unit::host ? grid.most_ranks_per_host() - 1 : 0;
    const double piece = bytes / grid.ranks();
    const bool reduces = combines(problem.collective);
    seconds += within_host_seconds(costs, others, reduces ? bytes : piece) + others * bytes * reduction;
    if (others > 0) seconds += others * costs.local_message() + (reduces ? piece : bytes) / costs.local_bandwidth;
    // What is sent without going round the end of the order is read where it is.
    const double copied = (reduces ? 0.5 : 1) * bytes + piece;
    return seconds + copied / costs.copy_bandwidth;
}

constexpr std::uint32_t of_pieces =
    any({Collective::reduce_scatter, Collective::reduce_scatter_block, Collective::allgather});

}  // namespace

extern constinit const Algorithm circulant{
    .name = "circulant",
    .summary = "fat trees: ceil(log2 hosts) steps whatever their number; for short pieces and unequal leaves",
    .collectives = of_pieces,
    .network = Network::switches,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds<Unit::host>,
    .build = build<Unit::host>,
};

extern constinit const Algorithm circulant_of_ranks{
    .name = "circulant_of_ranks",
    .summary = "the same with ranks in place of hosts; for hosts with very unequal numbers of ranks",
    .collectives = of_pieces,
    .network = Network::switches,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds<Unit::rank>,
    .build = build<Unit::rank>,
};

}  // namespace coll_topo::algorithms
