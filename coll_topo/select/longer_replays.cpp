// SPDX-License-Identifier: BSD-3-Clause
//
// Longer replays, where what a close look has found is close.

#include "coll_topo/select/close_look.hpp"
#include "coll_topo/select/compared_seconds.hpp"
#include "coll_topo/select/prediction.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace coll_topo {
namespace {

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

/// How the messages of rings fall in step is chance, which makes up to 7 % of the time; a vector that is a little
/// shorter or longer has another one. Pipelines go at the pace of their slowest link.
bool is_averaged(const Candidate& candidate) {
    return !candidate.algorithm->uses_segments;
}

}  // namespace

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
        predict(**next, is_first ? infinite_seconds : just_above * fastest);
        if (is_first ? known_.has_whole_replay(**next) : has_replay(*next)) continue;
        if (has_replay(*next)) raise_to_formula(**next);
        candidates.erase(next);
    }
}

void CloseLook::raise_to_formula(Candidate& limited) {
    const double formula = seconds_of(request_.call, *limited.algorithm, grid_, limited.problem, request_.bytes);
    limited.seconds = std::max(limited.seconds, formulas_say_too_little * formula);
    known_.set_formula(limited);
}

void CloseLook::replay_tied() {
    std::vector<Candidate*> candidates = near_;
    const auto sort = [&] { std::ranges::stable_sort(candidates, {}, compared_seconds); };
    const auto most = [&] { return tied * compared_seconds(candidates.front()); };
    sort();
    if (candidates.size() < 2 || compared_seconds(candidates[1]) > most()) return;
    std::vector<Candidate*> told;
    const auto is_told = [&](const Candidate* candidate) { return std::ranges::find(told, candidate) != told.end(); };
    for (Candidate* const candidate : candidates) {
        const ReplayedPrediction::Row row{*candidate->algorithm, candidate->problem};
        if (known_.has_whole_replay(*candidate) && replayed_.is_of_all(row, request_.bytes)) told.push_back(candidate);
    }
    Candidate* untold = nullptr;  // the fastest, if no replay tells how fast it is
    if (!replayed_.take_longest(most())) {
        if (!known_.has_replay(*candidates.front())) prefer_replayed(*candidates.front(), told);
        return;
    }
    for (int replays = 0; replays < most_longest_replays; ++replays, sort()) {
        const auto next = std::ranges::find_if_not(candidates, is_told);
        if (next == candidates.end() || compared_seconds(*next) > most()) break;
        const bool is_first = next == candidates.begin();
        const bool was_limited = known_.is_limited(**next);
        known_.forget(**next);
        const double limit = is_averaged(*candidates.front()) && is_averaged(**next)
                                 ? most()
                                 : just_above * compared_seconds(candidates.front());
        predict(**next, is_first ? infinite_seconds : limit);
        const bool is_untold = !known_.has_replay(**next);
        if (is_untold && was_limited) raise_to_formula(**next);
        if (is_untold && (untold != nullptr || !is_first)) break;  // others will not tell either
        if (is_untold) untold = *next;
        told.push_back(*next);
    }
    average_tied(candidates);
    if (untold != nullptr) prefer_replayed(*untold, told);
    raise_limited(candidates);
}

double CloseLook::fastest_replayed(const std::vector<Candidate*>& candidates) const {
    double fastest = infinite_seconds;
    for (const Candidate* const candidate : candidates) {
        if (known_.has_whole_replay(*candidate)) fastest = std::min(fastest, compared_seconds(candidate));
    }
    return fastest;
}

void CloseLook::average_tied(const std::vector<Candidate*>& candidates) {
    constexpr double other_sizes[] = {0.97, 1.03};
    std::vector<Candidate*> replayed = candidates;
    const double most = tied * fastest_replayed(candidates);
    std::erase_if(replayed, [&](const Candidate* candidate) {
        const ReplayedPrediction::Row row{*candidate->algorithm, candidate->problem};
        return !known_.has_whole_replay(*candidate) || compared_seconds(candidate) > most ||
               !replayed_.is_of_all(row, request_.bytes);  // of the longest, which are samples, one takes long enough
    });
    if (replayed.size() < 2) return;
    for (Candidate* const candidate : replayed) {
        if (!is_averaged(*candidate)) continue;
        const double ahead = seconds_ahead(request_.call, *candidate->algorithm, grid_, candidate->problem);
        std::vector<double> all = {candidate->seconds};
        for (const double size : other_sizes) {
            const auto seconds = replayed_.seconds({*candidate->algorithm, candidate->problem}, size * request_.bytes);
            if (seconds) all.push_back(*seconds / size + ahead);
        }
        candidate->seconds = std::reduce(all.begin(), all.end()) / static_cast<double>(all.size());
        known_.forget(*candidate);
        known_.add_replay(*candidate, infinite_seconds);
    }
}

/// A formula may be wrong by more than what lies between it and others whose replays tell how fast they are.
void CloseLook::prefer_replayed(Candidate& untold, const std::vector<Candidate*>& told) {
    const double fastest = fastest_replayed(told);
    if (fastest > tied * compared_seconds(&untold)) return;
    untold.seconds = std::max(untold.seconds, just_above * fastest);
    known_.set_formula(untold);
}

/// Of some it is only known that they take longer than what was the fastest before.
void CloseLook::raise_limited(const std::vector<Candidate*>& candidates) {
    const double fastest = fastest_replayed(candidates);
    if (fastest == infinite_seconds) return;
    for (Candidate* const candidate : candidates) {
        if (!known_.is_limited(*candidate)) continue;
        candidate->seconds = std::max(candidate->seconds, just_above * fastest);
    }
}

}  // namespace coll_topo
