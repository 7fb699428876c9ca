// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/decision.hpp"
#include "coll_topo/select/known_times.hpp"
#include "coll_topo/select/replayed_prediction.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace coll_topo {

/// On more ranks it would take long to predict them, and to know the network pays.
inline constexpr int most_ranks_of_references = 2048;

/// Replaces what formulas say of candidates by what replays of their schedules do, where these can tell. Not of a
/// barrier: those of other modules are only known by formulas.
class CloseLook {
public:
    /// Both must outlive it.
    CloseLook(const Grid& grid, const Request& request);

    /// That the call takes so long, so that more is worth replaying; predict_choice() finds that out by itself.
    void expect(double seconds) { replayed_.expect(seconds); }
    /// From now on as for what is looked at closely.
    void take_longer() { replayed_.take_longer(); }
    /// Of one that takes longer than the limit any figure above that.
    void predict(Candidate& candidate, double limit = std::numeric_limits<double>::infinity());

    /// The same for what the previous module does, once the choice is made among others.
    void predict_previous(Candidate& previous, double limit);

    /// Finds out which of those that may be chosen is the fastest, and of the others only that they are not. Those that
    /// formulas find much slower keep what these say, as that is enough. Where links pass bursts, of which formulas
    /// know nothing, pipelines get the number of segments that replays find fastest, unless the user fixed it;
    /// elsewhere the one that is the fastest does.
    void predict_choice(std::vector<Candidate>& candidates, const Preferences& preferences);
    /// Once the choice is made, among candidates that are still in their places: what all those take that formulas find
    /// near the fastest, also those that are merely not worth it, and what the previous module does.
    void predict_all(std::optional<Candidate>& previous);

private:
    std::vector<Candidate*> in_order_of_formulas(std::vector<Candidate>& candidates, double pipelines);
    bool has_open_segments(const Candidate& candidate) const;
    /// Of those that are close to the fastest, what sends too many messages for others.
    void replay_close();
    /// Of those that are nearly as fast as the fastest, more of what they send, where that was only a part.
    void replay_tied();
    /// Those of which replays tell that they are nearly as fast get the mean of what vectors of about that size take.
    void average_tied(const std::vector<Candidate*>& candidates);
    /// One that only a formula says to be the fastest takes no less than those that are nearly as fast by replays.
    void prefer_replayed(Candidate& untold, const std::vector<Candidate*>& told);
    /// One of which replays only tell that it takes longer than a limit may take longer by its formula.
    void raise_to_formula(Candidate& limited);
    /// Those that were only replayed up to a limit take no less than the fastest that was replayed to its end.
    void raise_limited(const std::vector<Candidate*>& candidates);
    /// Those that were only replayed up to what the fastest was thought to take, if it takes longer.
    void predict_limited_again(double limit);
    /// Of those that were replayed to their end.
    double fastest_replayed(const std::vector<Candidate*>& candidates) const;
    /// Whether a replay tells.
    bool replay(Candidate& candidate, double limit);
    /// Whether so many segments take no longer, which the candidate then has.
    bool take_if_below(double limit, Candidate& candidate, int segments);
    bool may_choose_segments(const Preferences& preferences) const;
    /// If it is a pipeline, with half or twice as many segments, as long as replays find that faster.
    void improve_fastest();
    /// Where fewer may take so much of what more do.
    void improve_segments(Candidate& candidate, double fewer_may_take);
    void predict_with_best_segments(Candidate& candidate, double limit);
    void predict_long_pipeline(Candidate& candidate, double limit);

    const Grid& grid_;
    const Request& request_;
    ReplayedPrediction replayed_;
    std::vector<Candidate*> near_;   // of predict_choice()
    bool chooses_segments_ = false;  // there
    KnownTimes known_;
};

}  // namespace coll_topo
