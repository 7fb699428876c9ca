// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/close_look.hpp"

#include "coll_topo/schedule/latency_bound.hpp"
#include "coll_topo/select/prediction.hpp"
#include "coll_topo/select/time_sharing.hpp"
#include "coll_topo/select/worth_its_messages.hpp"

#include <algorithm>
#include <limits>

namespace coll_topo {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
// Of two predictions that are not equally_fast().
constexpr double above = 1 + 1e-8;
// How much slower formulas may find what is the fastest after all. With 1.2 for what is no pipeline, one of 2301
// choices on 17 networks would have been another one, with 1.25 none; of pipelines formulas know less.
struct Near {
    double others = 1.25, pipelines = 1.5;
};

// How close the fastest may be for longer replays, of so many rows at most. With these, and what is added to
// formulas, 66 of 1260 choices on 14 networks are others, which take 0.70 to 1.15 of the time, 0.96 on average.
constexpr double close = 1.25;
constexpr int most_long_replays = 6;
// How close the fastest of these may be for the longest replays, and of how many rows.
constexpr double tied = 1.05;
constexpr int most_longest_replays = 6;
// By how much more than formulas say of rows that others are replayed beside: among many, those of which they say too
// little are the fastest.
constexpr double formulas_say_too_little = 1.04;

/// Between the few ways of one row that the user has chosen, replays decide alone.
constexpr Near all_ways = {never, never};

/// Of bursts, which some links pass at once, most formulas know nothing: they take too much for what fits into a few.
Near near_on(const Grid& grid, double bytes) {
    constexpr double bursts = 16;
    const double too_much = bytes > 0 ? 1 + bursts * grid.costs().link_burst / bytes : 1;
    Near near;
    near.others = std::max(near.others, too_much);
    near.pipelines = std::max(near.pipelines, too_much);
    return near;
}

bool is_eligible(const Candidate& candidate) {
    return candidate.standing == Standing::eligible;
}

bool is_competing_reference(const Candidate& candidate) {
    return candidate.standing == Standing::on_request && candidate.algorithm->reference;
}

/// Whether a replay, too, will find it slower than what takes so long.
bool is_far(const Candidate& candidate, const Near& near, double seconds) {
    return candidate.seconds > (candidate.algorithm->uses_segments ? near.pipelines : near.others) * seconds;
}

/// What the fastest candidate of a kind takes, not counting those that are still to be looked at.
double fastest_but(const std::vector<Candidate*>& to_look_at, const std::vector<Candidate>& candidates,
                   bool (*is_of_kind)(const Candidate&)) {
    double fastest = never;
    for (const Candidate& candidate : candidates) {
        if (is_of_kind(candidate) && std::ranges::find(to_look_at, &candidate) == to_look_at.end())
            fastest = std::min(fastest, candidate.seconds);
    }
    return fastest;
}

/// What counts when the fastest is chosen.
double compared_seconds(const Candidate* candidate) {
    if (is_eligible(*candidate)) return candidate->seconds;
    return is_competing_reference(*candidate) ? candidate->seconds / reference_is_faster : never;
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
    candidate.seconds +=
        waiting_among_hosts(*candidate.algorithm, grid_, candidate.problem, grid_.ranks() - grid_.hosts());
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
    const auto of_these = replayed_.seconds_of_all({*candidate.algorithm, candidate.problem}, request_.bytes, never);
    if (!of_these) return predict_long_pipeline(candidate, limit);
    candidate.seconds = *of_these;
    known_.add_replay(candidate, never);
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
    const double limit = above / more_at_once_worth_it(grid_.costs());
    const auto predict_those = [&](bool (*is_of_kind)(const Candidate&), double fastest) {
        for (Candidate* const candidate : near_) {
            if (!is_of_kind(*candidate) || is_far(*candidate, near, fastest)) continue;
            if (has_open_segments(*candidate))
                predict_with_best_segments(*candidate, fastest * limit);
            else
                predict(*candidate, fastest * limit);
            fastest = std::min(fastest, candidate->seconds);
        }
        return fastest;
    };
    double fastest = predict_those(is_eligible, fastest_but(near_, candidates, is_eligible));
    double fastest_reference = fastest_but(near_, candidates, is_competing_reference);
    if (fastest != never) {  // references are not chosen where there is no other row
        fastest_reference = std::min(fastest_reference, reference_is_faster * fastest);
        fastest = std::min(fastest, predict_those(is_competing_reference, fastest_reference));
    }
    if (replayed_.take_longer()) replay_close();
    replay_tied();
    if (!chooses_segments_ && may_choose_segments(preferences)) improve_fastest();
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

void CloseLook::replay_close() {
    const auto has_replay = [&](const Candidate* candidate) { return known_.has_replay(*candidate); };
    std::vector<Candidate*> candidates = near_;
    if (std::ranges::any_of(candidates, has_replay)) {
        for (Candidate* const candidate : candidates) {
            if (has_replay(candidate)) continue;
            candidate->seconds *= formulas_say_too_little;
            known_.set_formula(*candidate);
        }
    }
    for (int replays = 0; candidates.size() > 1;) {
        std::ranges::stable_sort(candidates, {}, compared_seconds);
        const double fastest = compared_seconds(candidates.front()), most = close * fastest;
        if (compared_seconds(candidates[1]) > most) return;
        auto next = candidates.begin();
        if (known_.has_whole_replay(**next)) next = std::ranges::find_if_not(candidates, has_replay);
        if (next == candidates.end() || compared_seconds(*next) > most) return;
        if (!has_replay(*next) && ++replays > most_long_replays) return;
        known_.forget_formula(**next);
        const bool is_first = next == candidates.begin();
        predict(**next, is_first ? never : above * fastest);
        if (is_first ? known_.has_whole_replay(**next) : has_replay(*next)) continue;
        if (has_replay(*next)) {  // up to a limit: the formula may say more
            Candidate& limited = **next;
            const double formula =
                seconds_of(request_.call, *limited.algorithm, grid_, limited.problem, request_.bytes);
            limited.seconds = std::max(limited.seconds, formulas_say_too_little * formula);
            known_.set_formula(limited);
        }
        candidates.erase(next);
    }
}

void CloseLook::replay_tied() {
    std::vector<Candidate*> candidates = near_;
    const auto sort = [&] { std::ranges::stable_sort(candidates, {}, compared_seconds); };
    const auto most = [&] { return tied * compared_seconds(candidates.front()); };
    sort();
    if (candidates.size() < 2 || compared_seconds(candidates[1]) > most()) return;
    std::vector<const Candidate*> told, limited;
    const auto is_told = [&](const Candidate* candidate) { return std::ranges::find(told, candidate) != told.end(); };
    for (const Candidate* const candidate : candidates) {
        const bool whole = known_.has_whole_replay(*candidate);
        const ReplayedPrediction::Row row{*candidate->algorithm, candidate->problem};
        if (whole && replayed_.is_of_all(row, request_.bytes)) told.push_back(candidate);
        if (!whole && known_.has_replay(*candidate)) limited.push_back(candidate);
    }
    if (!replayed_.take_longest(most())) return;
    for (int replays = 0; replays < most_longest_replays; ++replays, sort()) {
        const auto next = std::ranges::find_if_not(candidates, is_told);
        if (next == candidates.end() || compared_seconds(*next) > most()) break;
        const bool is_first = next == candidates.begin();
        known_.forget(**next);
        predict(**next, is_first ? never : above * compared_seconds(candidates.front()));
        if (replays == 0 && !known_.has_replay(**next)) return;  // others will not tell either
        told.push_back(*next);
    }
    // Of some it is only known that they take longer than what was the fastest before.
    const auto fastest = std::ranges::find_if(candidates, is_told);
    for (const Candidate* const candidate : limited) {
        if (fastest == candidates.end() || known_.has_whole_replay(*candidate)) continue;
        Candidate& slower = **std::ranges::find(candidates, candidate);
        slower.seconds = std::max(slower.seconds, above * compared_seconds(*fastest));
    }
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
