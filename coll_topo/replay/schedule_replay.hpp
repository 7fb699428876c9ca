// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/message_ways.hpp"
#include "coll_topo/grid/grid.hpp"
#include "coll_topo/replay/frame_pool.hpp"
#include "coll_topo/replay/shared_links.hpp"
#include "coll_topo/replay/sized_program.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace coll_topo {

/// Tells how long schedules take on a grid, each lane step by step as the executor runs it, messages on the links of
/// MessageWays, which they share fairly. As `coll-topo simulate` does it, but with what the grid knows of the network,
/// and without SimGrid.
class ScheduleReplay {
public:
    /// The grid must outlive it. On links that pass so many bytes at once after a rest.
    ScheduleReplay(const Grid& grid, double link_burst);
    explicit ScheduleReplay(const Grid& grid) : ScheduleReplay(grid, grid.costs().link_burst) {}
    ScheduleReplay(const ScheduleReplay&) = delete;
    ScheduleReplay& operator=(const ScheduleReplay&) = delete;

    /// How often messages may be given a share of their links, each time some 100 ns: on trees and rings it is a few
    /// times each, mostly less than a hundred where all ranks have a window of messages under way, and of thousands
    /// that are all under way at once, a good part of their number.
    void allow_shares(std::int64_t most) { most_shares_ = std::max(usual_shares, most); }

    /// Seconds that the programs of all ranks take. That is about a microsecond of work for each message, and more
    /// where many share links; no more is done once the schedule has taken longer than the limit: then it takes longer
    /// than what is returned, which is more than the limit too. Nothing if the programs get stuck, or if so many
    /// messages share links at once that the replay would take far longer.
    std::optional<double> seconds(std::span<const SizedProgram> programs,
                                  double limit = std::numeric_limits<double>::infinity());
    /// Whether the last one was given up for that.
    bool gave_up() const { return links_.shares() > most_shares_; }

private:
    static constexpr std::int64_t usual_shares = 1 << 20;

    const Grid& grid_;
    MessageWays ways_;
    double short_message_;
    replay::FramePool frames_;  // these are kept for their memory
    replay::SharedLinks links_;
    std::int64_t most_shares_ = usual_shares;
};

}  // namespace coll_topo
