// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/replay/schedule_replay.hpp"
#include "coll_topo/select/built_schedule.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace coll_topo {

/// How long schedules take on a grid, by a replay of what all ranks do, where that takes little time: where they send
/// few messages, or a pipeline does with fewer segments, which goes on as it has begun, or those do of a sample of many
/// steps that are alike. Nothing for others; for none on one host, where measurements decide, or on more than 2048
/// ranks.
class ReplayedPrediction {
public:
    /// The grid must outlive it.
    explicit ReplayedPrediction(const Grid& grid);

    struct Row {
        const Algorithm& algorithm;
        const Problem& problem;
    };
    /// Who only wants to know whether it takes longer than so many seconds gets any figure above them if it does, as
    /// soon as that is known.
    struct Limit {
        double seconds;
        double otherwise;  ///< what counts where nothing is replayed
    };
    static constexpr Limit none = {std::numeric_limits<double>::infinity(), 0};

    bool can_tell() const { return replay_.has_value(); }
    /// What a call takes, about: one that takes long is worth a longer replay.
    void expect(double call_seconds);
    /// From now on as long as it ever may; whether that is longer. Not where ranks share their processors.
    bool take_longer();
    /// As long as it is worth to tell the fastest apart, of a call that takes so long; whether that is longer.
    bool take_longest(double call_seconds);
    /// Whether what is replayed is all that ranks send.
    bool is_of_all(const Row& row, double bytes) const;
    std::optional<double> seconds(const Row& row, double bytes, const Limit& limit = none);
    /// The same only where all ranks send few messages.
    std::optional<double> seconds_of_all(const Row& row, double bytes, double limit);

private:
    /// To be replayed from now on, and shares of links in proportion.
    void allow(int messages);
    /// Whether anything is sent, and counted as it should be.
    bool can_tell(const Row& row, double bytes) const;
    BuiltSchedule build(const Row& row, double bytes, int most_messages) const;
    /// Only so many segments, which come first.
    BuiltSchedule build_first(const Row& row, double bytes, int segments, int most_messages) const;
    /// Of a pipeline of many segments, by those that come first. Nothing if these do not show at what pace others
    /// follow.
    std::optional<double> of_beginning(const Row& row, double bytes, const Limit& limit);
    std::optional<double> going_on_as(BuiltSchedule& beginning, const Row& row, double bytes, const Limit& limit);
    /// Of many steps in which every rank exchanges as much with others in turn, by a sample of them.
    std::optional<double> of_sample(BuiltSchedule& schedule, double limit);

    /// Whether a schedule was found to have no more than so many messages, which takes as long as to build it.
    struct Counted {
        const Algorithm* algorithm;
        Problem problem;
        double bytes;
        int most_messages;
        bool is_short;
    };

    const Grid& grid_;
    std::vector<Counted> counted_;
    std::optional<ScheduleReplay> replay_;
    std::optional<ScheduleReplay> without_bursts_;  // where links pass any
    int most_messages_;
};

}  // namespace coll_topo
