// SPDX-License-Identifier: BSD-3-Clause
//
// Scans host by host: scan and exscan where ranks that follow each other share a host.
//
//     host 0        host 1        host 2          1. the ranks of a host by doubling; the last one then knows of all
//     0 > 1 > 2     3 > 4 > 5     6 > 7 > 8       2. the last ones by doubling: what the hosts before contribute
//             2 ----------> 5 ----------> 8       3. each tells the others of its host, which combine it with what
//                   3 < 4 < 5     6 < 7 < 8          they have
//
// By doubling alone, every rank of a host sends to another host at most distances; here one does. A host whose ranks do
// not follow each other counts as several, one for each run of consecutive ranks.
//
// Cost for m bytes, h hosts with g ranks each:
//     ceil(log2 g)·[ o + m/local + m/reduction, in exscan twice ]
//     + sum over d = 1, 2, 4 … < h of [ o + hops·latency + l_d·m/bandwidth + 2m/reduction ]
//     + ceil(log2 g)·[ o + m/local ] + m/reduction
//
// Source: hierarchical scans, as in Open MPI's han and in MVAPICH; the rounds are those of prefix_doubling.cpp.
// Combines in rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/prefix/prefix_rounds.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <vector>

namespace coll_topo::prefix_by_hosts {
namespace {

using Ranks = std::span<const std::int32_t>;

constexpr Blocks vector_{Buffer::output, 0, 1};
constexpr Blocks of_hosts_before_{Buffer::scratch, 0, 1}, arriving_{Buffer::scratch, 1, 1},
    kept_{Buffer::scratch, 2, 1};

/// The runs of ranks, and their last ranks.
class Runs {
public:
    explicit Runs(const Grid& grid) : all_(grid.ranks()) {
        std::iota(all_.begin(), all_.end(), 0);
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            if (rank + 1 == grid.ranks() || grid.host(rank + 1) != grid.host(rank)) last_.push_back(rank);
        }
    }

    int count() const { return static_cast<int>(last_.size()); }
    Ranks last() const { return last_; }
    int of(int rank) const { return static_cast<int>(std::ranges::lower_bound(last_, rank) - last_.begin()); }
    Ranks run(int number) const {
        const int first = number == 0 ? 0 : last_[number - 1] + 1;
        return Ranks(all_).subspan(first, last_[number] + 1 - first);
    }

private:
    std::vector<std::int32_t> all_, last_;
};

/// Writes the program of one rank.
class Writer {
public:
    Writer(const Runs& runs, bool inclusive, int rank)
        : inclusive_(inclusive),
          number_(runs.of(rank)),
          runs_(runs.count()),
          run_(runs.run(number_)),
          last_(runs.last()),
          own_(static_cast<int>(rank - run_.front())),
          builder_(1, inclusive ? 2 : 3) {}

    Program build() {
        builder_.lane();
        if (inclusive_) {
            write_prefix_rounds(builder_, run_, own_, {.through_own = vector_, .keeps_through_own = true});
        } else {
            write_own_host_apart();
        }
        if (is_last()) write_between_hosts();
        if (number_ > 0) spread();
        return builder_.finish();
    }

private:
    bool is_last() const { return own_ + 1 == static_cast<int>(run_.size()); }
    bool tells_next_hosts() const { return is_last() && number_ + 1 < runs_; }
    /// The result is what the hosts before contribute, and nothing of this one.
    bool gets_others_alone() const { return !inclusive_ && own_ == 0; }
    /// Where that of this host up to this rank is, which others of the host, or the next hosts, get.
    Blocks through_own() const {
        const bool stands_apart = !inclusive_ && (own_ > 0 || (is_last() && number_ > 0));
        return stands_apart ? kept_ : vector_;
    }

    void write_own_host_apart() {
        if (through_own().buffer == Buffer::scratch && (!is_last() || tells_next_hosts())) {
            builder_.copy(vector_, kept_.buffer, kept_.first);
            builder_.next_step();
        }
        PrefixBlocks blocks{.through_own = through_own(), .keeps_through_own = tells_next_hosts()};
        if (own_ > 0) {
            blocks.before = vector_;
            blocks.arriving = arriving_;
        }
        write_prefix_rounds(builder_, run_, own_, blocks);
    }

    void write_between_hosts() {
        PrefixBlocks blocks{.through_own = through_own(), .keeps_through_own = inclusive_, .arriving = arriving_};
        if (number_ > 0 && (run_.size() > 1 || !inclusive_)) blocks.before = before_hosts();
        write_prefix_rounds(builder_, last_, number_, blocks);
    }

    Blocks before_hosts() const { return gets_others_alone() ? vector_ : of_hosts_before_; }

    /// Along a binomial tree from the last rank.
    void spread() {
        const int size = static_cast<int>(run_.size()), from_last = size - 1 - own_;
        const int top =
            from_last == 0 ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(size))) : from_last & -from_last;
        const Blocks told = before_hosts();
        if (from_last > 0) builder_.receive(run_[own_ + top], told);
        builder_.next_step();
        for (int distance = top / 2; distance > 0; distance /= 2) {
            if (own_ - distance >= 0) builder_.send(run_[own_ - distance], told);
        }
        const bool has_it = gets_others_alone() || (inclusive_ && is_last());
        if (!has_it) builder_.reduce(told, vector_.buffer, vector_.first, Operand::left);
    }

    const bool inclusive_;
    const int number_, runs_;
    const Ranks run_, last_;
    const int own_;
    ProgramBuilder builder_;
};

Program build(const Grid& grid, const Problem& problem, int rank) {
    const Runs runs(grid);
    return Writer(runs, problem.collective == Collective::scan, rank).build();
}

std::string refusal(const Grid& grid, const Problem&) {
    if (grid.hosts() == 1) return "all ranks are on one host";
    const bool some_together = Runs(grid).count() < grid.ranks();
    return some_together ? "" : "no ranks that follow each other are on one host";
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const Runs runs(grid);
    const MachineCosts together = grid.costs_together(), alone = grid.costs();
    const bool inclusive = problem.collective == Collective::scan;
    std::vector<Ranks> hosts;
    std::size_t longest = 0;
    for (int number = 0; number < runs.count(); ++number) {
        hosts.push_back(runs.run(number));
        longest = std::max(longest, hosts.back().size());
    }
    RankOrderCost cost(grid);
    const double reduction = bytes / together.reduce_bandwidth;
    const Ranks last = runs.last();
    double total = inclusive ? 0 : bytes / together.copy_bandwidth;
    total += prefix_rounds_seconds(cost, hosts, bytes, (inclusive ? 1 : 2) * reduction);
    total += prefix_rounds_seconds(cost, {&last, 1}, bytes, 2 * bytes / alone.reduce_bandwidth);
    for (std::size_t told = 1; told < longest; told *= 2) {
        for (const Ranks host : hosts) {
            for (std::size_t i = told; i < std::min(2 * told, host.size()); ++i) {
                cost.message(host[host.size() - 1 - (i - told)], host[host.size() - 1 - i], bytes);
            }
        }
        total += cost.step();
    }
    return total + reduction;
}

}  // namespace

}  // namespace coll_topo::prefix_by_hosts

namespace coll_topo::algorithms {

extern constinit const Algorithm prefix_by_hosts{
    .name = "prefix_by_hosts",
    .summary = "the ranks of each host first, of which one talks to other hosts; for hosts of several ranks",
    .collectives = any({Collective::scan, Collective::exscan}),
    .further_refusal = prefix_by_hosts::refusal,
    .in_order = prefix_by_hosts::in_order,
    .seconds = prefix_by_hosts::seconds,
    .build = prefix_by_hosts::build,
};

}  // namespace coll_topo::algorithms
