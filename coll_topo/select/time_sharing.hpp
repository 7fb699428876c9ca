// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/replay/sized_program.hpp"

#include <span>
#include <vector>

namespace coll_topo {

/// What a schedule takes among ranks of one memory that outnumber its processors: what all of them do adds up, and
/// whoever waits for a message goes on only when the others have had their turns. So few messages that wait for one
/// another count most for short vectors, and few messages at all for longer ones. Measured with 8 and 16 ranks on two
/// processors, 8 B to 4 MiB: choices by it take 0.90 of the time of those by formulas on average
/// (doc/results/one-host.md).
class TimeSharing {
public:
    /// Whether ranks take turns, more than two on each processor, and are so few that it takes little time to look at
    /// what each of them does.
    static bool applies(const Grid& grid);

    /// For any number of segments: looks at the programs for one, and for two. The grid must outlive it.
    TimeSharing(const Algorithm& algorithm, const Grid& grid, Problem problem);

    /// Seconds that the processors need for the work of all ranks, or one of them for that of the busiest.
    double work(int segments, double bytes) const;
    /// Seconds in which all ranks wait for their turns.
    double waiting(int segments) const;

private:
    /// Of a rank; bytes for each byte of data.
    struct Doings {
        double messages = 0;  ///< sent and received: with others in between, both take time
        double received = 0, combined = 0, copied = 0;
    };
    struct Schedule {
        std::vector<Doings> ranks;
        double chain = 0;  ///< longest_chain()
    };
    static Schedule look_at(const Algorithm& algorithm, const Grid& grid, const Problem& problem);

    const Grid& grid_;
    Schedule once_;                                ///< for one segment
    double more_messages_ = 0, longer_chain_ = 0;  ///< for each one more: as many times, and by so much
};

/// Seconds in which a rank waits for its turn (MachineCosts::waiting_for_turn), `each` for each message of the longest
/// chain, until the first segment has come to the last rank. 0 for more than 64 ranks, as it takes long to find.
double waiting_among_hosts(const Algorithm& algorithm, const Grid& grid, Problem problem, double each);

/// The most messages of which each waits for the one before it. Programs that get stuck count as far as they get.
int longest_chain(std::span<const SizedProgram> programs);

}  // namespace coll_topo
