// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/close_look.hpp"

#include "coll_topo/schedule/latency_bound.hpp"
#include "coll_topo/select/compared_seconds.hpp"
#include "coll_topo/select/prediction.hpp"
#include "coll_topo/select/time_sharing.hpp"
#include "coll_topo/select/worth_its_messages.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

// How much slower formulas may find what is the fastest after all. With 1.2 for what is no pipeline, one of 2301
// choices on 17 networks would have been another one, with 1.25 none; of pipelines formulas know less.
struct Near {
    double others = 1.25, pipelines = 1.5;
};

/// Where replays decide alone: between the few ways of one row that the user has chosen.
constexpr Near all_ways = {infinite_seconds, infinite_seconds};

/// Where hosts of a torus form no box, or have others beside it, formulas of what goes along the axes know little of
/// the ways. With 3, of 144 choices on six such sets of 20 to 128 hosts four were others than with no limit, which
/// take 1.01 to 1.11 of the time.
constexpr Near beside_the_axes = {3, 3};

/// Of bursts, which some links pass at once, most formulas know nothing: they take too much for what fits into a few.
Near near_on(const Grid& grid, double bytes) {
    constexpr double bursts = 16;
    const double too_much = bytes > 0 ? 1 + bursts * grid.costs().link_burst / bytes : 1;
    const bool have_a_box = grid.switched() || (!grid.winds() && grid.extra_hosts() == 0);
    Near near = have_a_box ? Near{} : beside_the_axes;
    near.others = std::max(near.others, too_much);
    near.pipelines = std::max(near.pipelines, too_much);
    return near;
}

/// Whether a replay, too, will find it slower than what takes so long.
bool is_far(const Candidate& candidate, const Near& near, double seconds) {
    return candidate.seconds > (candidate.algorithm->uses_segments ? near.pipelines : near.others) * seconds;
}

/// What the fastest candidate of a kind takes, not counting those that are still to be looked at.
double fastest_but(const std::vector<Candidate*>& to_look_at, const std::vector<Candidate>& candidates,
                   bool (*is_of_kind)(const Candidate&)) {
    double fastest = infinite_seconds;
    for (const Candidate& candidate : candidates) {
        if (is_of_kind(candidate) && std::ranges::find(to_look_at, &candidate) == to_look_at.end())
            fastest = std::min(fastest, counted_seconds(candidate));
    }
    return fastest;
}

}  // namespace

CloseLook::CloseLook(const Grid& grid, const Request& request) : grid_(grid), request_(request), replayed_(grid) {}

bool CloseLook::replay(Candidate& candidate, double limit) {
    if (const auto known = known_.seconds(candidate, limit)) {
        candidate.seconds = *known;
        return true;
    }
    const double ahead = seconds_ahead(request_.call, *candidate.algorithm, grid_, candidate.problem);
    const auto seconds = replayed_.seconds({*candidate.algorithm, candidate.problem}, request_.bytes,
                                           {limit - ahead, candidate.seconds - ahead});
    if (!seconds) return false;
    candidate.seconds = std::max(*seconds + ahead, known_.at_least(candidate));
    known_.add_replay(candidate, limit);
    return true;
}

void CloseLook::predict(Candidate& candidate, double limit) {
    if (!replayed_.can_tell() || request_.call == Call::barrier) return;
    if (replay(candidate, limit) || request_.bytes <= latency_bound_bytes) return;
    // Predictions of shorter calls count what ranks wait for their turns.
    candidate.seconds += waiting_among_hosts(*candidate.algorithm, grid_, candidate.problem,
                                             grid_.costs().waiting_for_turn_beside(grid_.hosts(), grid_.ranks()));
    known_.set_formula(candidate);
}

bool CloseLook::has_open_segments(const Candidate& candidate) const {
    return chooses_segments_ && candidate.algorithm->uses_segments;
}

bool CloseLook::take_if_below(double limit, Candidate& candidate, int segments) {
    Problem problem = candidate.problem;
    problem.segments = segments;
    const auto seconds = replayed_.seconds_of_all({*candidate.algorithm, problem}, request_.bytes, limit);
    if (!seconds || *seconds > limit) return false;
    candidate.problem = problem;
    candidate.seconds = *seconds;
    known_.add_replay(candidate, limit);
    return true;
}

/// The limit is only for long pipelines: of others each number may be far from the best. Formulas take too many
/// segments rather than too few, as what fits into a burst passes at once.
void CloseLook::predict_with_best_segments(Candidate& candidate, double limit) {
    const auto of_these =
        replayed_.seconds_of_all({*candidate.algorithm, candidate.problem}, request_.bytes, infinite_seconds);
    if (!of_these) return predict_long_pipeline(candidate, limit);
    candidate.seconds = *of_these;
    known_.add_replay(candidate, infinite_seconds);
    improve_segments(candidate, 1 / more_segments_worth_it(grid_.costs()));
}

void CloseLook::improve_segments(Candidate& candidate, double fewer_may_take) {
    const auto segments = [&] { return candidate.problem.segments; };
    const double worth_it = more_segments_worth_it(grid_.costs());
    const int first = segments();
    for (double least = candidate.seconds; segments() > 1; least = std::min(least, candidate.seconds)) {
        if (!take_if_below(fewer_may_take * least, candidate, segments() / 2)) break;
    }
    if (segments() < first) return;
    while (2. * segments() * candidate.problem.lanes <= request_.bytes &&
           take_if_below(worth_it * candidate.seconds, candidate, 2 * segments())) {
        continue;
    }
}

/// Of many segments only the beginning is replayed, so that no more than those of the formula are tried.
void CloseLook::predict_long_pipeline(Candidate& candidate, double limit) {
    predict(candidate, limit);
    double least = std::min(candidate.seconds, limit);
    Candidate fewer = candidate;
    while ((fewer.problem.segments /= 2) > 0) {
        const double most = least / more_segments_worth_it(grid_.costs());
        Candidate replayed = fewer;
        if (!replay(replayed, most)) continue;
        if (replayed.seconds > most) return;
        candidate = replayed;
        least = std::min(least, candidate.seconds);
    }
}

/// Those that are compared, in the order of what formulas say; none if these leave nothing to tell apart.
std::vector<Candidate*> CloseLook::in_order_of_formulas(std::vector<Candidate>& candidates, double pipelines) {
    std::vector<Candidate*> found;
    if (!replayed_.can_tell() || request_.call == Call::barrier) return found;
    for (Candidate& candidate : candidates) {
        const bool compares =
            is_eligible(candidate) || is_competing_reference(candidate) || candidate.standing == Standing::not_worth_it;
        if (compares) found.push_back(&candidate);
    }
    std::ranges::stable_sort(found, {}, [](const Candidate* candidate) { return candidate->seconds; });
    const double fastest =
        std::min(fastest_but({}, candidates, is_eligible), fastest_but({}, candidates, is_competing_reference));
    const auto is_near = [&](const Candidate* candidate) { return candidate->seconds <= pipelines * fastest; };
    // A reference has to be faster for sure.
    const bool alone = std::ranges::count_if(found, is_near) == 1 && is_eligible(*found.front());
    if (alone && !has_open_segments(*found.front())) found.clear();
    replayed_.expect(fastest);
    return found;
}

bool CloseLook::may_choose_segments(const Preferences& preferences) const {
    return preferences.segments == 0 && request_.bytes > latency_bound_bytes && !has_unequal_pieces(request_.call);
}

void CloseLook::predict_choice(std::vector<Candidate>& candidates, const Preferences& preferences) {
    chooses_segments_ = grid_.costs().link_burst > 0 && may_choose_segments(preferences);
    const Near near = preferences.algorithm != nullptr ? all_ways : near_on(grid_, request_.bytes);
    near_ = in_order_of_formulas(candidates, near.pipelines);
    // What is told of those that take longer must not look worth it either.
    const double limit = just_above / more_at_once_worth_it(grid_.costs());
    const auto predict_those = [&](bool (*is_of_kind)(const Candidate&), double fastest) {
        for (Candidate* const candidate : near_) {
            if (!is_of_kind(*candidate) || is_far(*candidate, near, fastest)) continue;
            if (has_open_segments(*candidate))
                predict_with_best_segments(*candidate, fastest * limit);
            else
                predict(*candidate, fastest * limit);
            fastest = std::min(fastest, counted_seconds(*candidate));
        }
        return fastest;
    };
    double fastest = predict_those(is_eligible, fastest_but(near_, candidates, is_eligible));
    double fastest_reference = fastest_but(near_, candidates, is_competing_reference);
    if (fastest != infinite_seconds) {  // references are not chosen where there is no other row
        fastest_reference = std::min(fastest_reference, reference_is_faster * fastest);
        fastest = std::min(fastest, predict_those(is_competing_reference, fastest_reference));
    }
    if (replayed_.take_longer()) replay_close();
    replay_tied();
    if (!chooses_segments_ && may_choose_segments(preferences)) improve_fastest();
    predict_limited_again(limit);
    replayed_.expect(fastest);
    std::erase_if(near_, [&](const Candidate* candidate) {
        return is_far(*candidate, near, fastest) && !known_.has_whole_replay(*candidate);
    });
    for (Candidate* const candidate : near_) candidate->looked_at_closely = true;
}

void CloseLook::improve_fastest() {
    const auto fastest = std::ranges::min_element(near_, {}, compared_seconds);
    if (fastest == near_.end() || !(*fastest)->algorithm->uses_segments || !known_.has_whole_replay(**fastest)) return;
    // Never slower: of others it is only known that they take longer than what has been the fastest so far.
    improve_segments(**fastest, 1);
}

void CloseLook::predict_limited_again(double limit) {
    double fastest = infinite_seconds;
    for (const Candidate* const candidate : near_) {
        if (!known_.is_limited(*candidate)) fastest = std::min(fastest, compared_seconds(candidate));
    }
    for (Candidate* const candidate : near_) {
        const double compared = compared_seconds(candidate);
        if (!known_.is_limited(*candidate) || compared >= fastest) continue;
        predict(*candidate, limit * fastest * candidate->seconds / compared);
        fastest = std::min(fastest, compared_seconds(candidate));
    }
}

void CloseLook::predict_previous(Candidate& previous, double limit) {
    known_.forget_formula(previous);  // as a reference it may have been too far from the others to be replayed
    predict(previous, limit);
}

void CloseLook::predict_all(std::optional<Candidate>& previous) {
    const auto predict_those = [&](bool replayed) {
        for (Candidate* const candidate : near_) {
            if (known_.has_replay(*candidate) == replayed) predict(*candidate);
        }
    };
    predict_those(false);
    replayed_.take_longer();  // some of these are only known to take longer than others
    predict_those(true);
    if (previous) predict(*previous);
}

}  // namespace coll_topo
