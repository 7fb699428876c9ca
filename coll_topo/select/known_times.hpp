// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/decision.hpp"

#include <optional>
#include <vector>

namespace coll_topo {

/// How long candidates take, as far as replays and formulas have told, so that nothing is replayed twice.
class KnownTimes {
public:
    /// What is known to those who go no further than a limit: if it takes longer, any figure above that.
    std::optional<double> seconds(const Candidate& candidate, double limit) const;
    /// That a replay has passed so many seconds; 0 if there was none that did.
    double at_least(const Candidate& candidate) const;
    bool has_replay(const Candidate& candidate) const;
    bool has_whole_replay(const Candidate& candidate) const;
    /// Whether replays have only told that it takes longer than some limit.
    bool is_limited(const Candidate& candidate) const { return has_replay(candidate) && !has_whole_replay(candidate); }

    /// That a replay up to a limit gave the candidate's seconds.
    void add_replay(const Candidate& candidate, double limit);
    /// That its seconds are by a formula, in place of what another said.
    void set_formula(const Candidate& candidate);
    void forget_formula(const Candidate& candidate);
    void forget(const Candidate& candidate);

private:
    struct Known {
        const Algorithm* algorithm;
        Problem problem;
        double seconds, limit;
        bool replayed;

        bool is_of(const Candidate& candidate) const {
            return algorithm == candidate.algorithm && problem == candidate.problem;
        }
        bool is_whole() const { return seconds <= limit; }
    };
    std::vector<Known> all_;
};

}  // namespace coll_topo
