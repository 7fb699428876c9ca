// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/replay/schedule_replay.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace coll_topo {

/// The programs of all ranks, built as far as they are needed, once for any number of replays.
class BuiltSchedule {
public:
    /// The algorithm and the grid must outlive it. More messages than `most_messages` take too long to replay.
    BuiltSchedule(const Algorithm& algorithm, const Problem& problem, const Grid& grid, std::uint64_t bytes,
                  int most_messages);

    int segments() const { return problem_.segments; }
    const SizedProgram& of(int rank);
    /// Of all ranks, whatever they send.
    std::span<const SizedProgram> of_all();

    /// Whether all ranks together send no more messages than that; builds only some programs if these show that they
    /// do.
    bool is_short();

    /// As the replay says, nothing if it is not short.
    std::optional<double> seconds(ScheduleReplay& replay, double limit = std::numeric_limits<double>::infinity());

private:
    void add(int rank, Program program);
    void build_all();
    bool counts_few();
    int messages_of(int rank);
    bool all_send_much();
    bool is_long_pipeline() const;
    int messages_by_sample();

    const Algorithm& algorithm_;
    const Problem problem_;
    const Grid& grid_;
    const std::uint64_t bytes_;
    const int most_messages_;
    std::vector<SizedProgram> programs_;
    std::vector<bool> is_built_;
    std::optional<bool> is_short_;
};

}  // namespace coll_topo
