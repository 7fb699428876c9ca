// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/decision.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/schedule/latency_bound.hpp"
#include "coll_topo/select/barrier.hpp"
#include "coll_topo/select/close_look.hpp"
#include "coll_topo/select/compared_seconds.hpp"
#include "coll_topo/select/numbers_to_try.hpp"
#include "coll_topo/select/one_memory.hpp"
#include "coll_topo/select/prediction.hpp"
#include "coll_topo/select/previous_module.hpp"
#include "coll_topo/select/within_host.hpp"
#include "coll_topo/select/worth_its_messages.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace coll_topo {
namespace {

/// Why the row cannot serve the request; empty if it can.
std::string why_unable(const Algorithm& algorithm, const Problem& problem, const Grid& grid, const Request& request) {
    std::string refusal = algorithm.refusal(grid, problem);
    if (refusal.empty() && !request.commutative && !algorithm.in_order(grid, problem)) {
        refusal = "combines operands out of rank order, and the operation does not commute";
    }
    return refusal;
}

/// Rows run only when asked for: those of fixed order, and where there is a network references, which know nothing of
/// it, unless they are clearly faster.
bool is_on_request(const Algorithm& algorithm, const Grid& grid) {
    return (algorithm.reference && grid.hosts() > 1) || (algorithm.fixed_order && !algorithm.also_in_any_order);
}

bool references_compete(const Grid& grid, const Request& request, const Preferences& preferences) {
    return preferences.algorithm == nullptr && request.call != Call::barrier &&
           grid.ranks() <= most_ranks_of_references;
}

/// Refuses what could serve the request, but is not chosen unless it is asked for.
void refuse_unless_asked_for(Candidate& candidate, const Grid& grid, const Request& request,
                             const Preferences& preferences) {
    const Algorithm& algorithm = *candidate.algorithm;
    const auto refuse = [&](Standing standing, std::string_view why) {
        candidate.standing = standing;
        candidate.refusal = why;
    };
    const bool asked_for = preferences.never_defer || preferences.fixed_order;
    if (grid.hosts() == 1 && !asked_for &&
        request.bytes <
            least_bytes_within_host(request.collective(), preferences.host_memory, TimeSharing::applies(grid))) {
        refuse(Standing::not_worth_it, why_not_within_host);
    } else if (algorithm.spreads && request.bytes <= latency_bound_bytes) {
        refuse(Standing::not_worth_it, "so few bytes are not worth that many messages");
    } else if (is_on_request(algorithm, grid) && !(algorithm.fixed_order && preferences.fixed_order)) {
        refuse(Standing::on_request, algorithm.reference ? "a reference, run only when asked for or clearly faster"
                                                         : "of fixed order, run only when asked for");
    }
}

/// To how many others a rank sends so much at once that it counts.
ReceiversAtOnce receivers_at_once(const Algorithm& algorithm, const Grid& grid, const Request& request) {
    const bool crowds = request.bytes > crowding_bytes * grid.ranks();
    switch (algorithm.receivers_at_once) {
        case ReceiversAtOnce::several_through_switches:
            return crowds && grid.switched() ? ReceiversAtOnce::several : ReceiversAtOnce::one;
        case ReceiversAtOnce::all:
            return crowds ? ReceiversAtOnce::all : ReceiversAtOnce::one;
        default:
            return algorithm.receivers_at_once;
    }
}

/// The candidate with the segments predicted to be fastest.
Candidate examine_segments(const Algorithm& algorithm, Problem problem, const Grid& grid, const Request& request,
                           const Preferences& preferences) {
    const std::vector<int> choices = segment_choices(algorithm, problem.lanes, request.bytes, preferences);
    problem.segments = choices.front();
    Candidate best{&algorithm, problem, 0, why_unable(algorithm, problem, grid, request)};
    if (!best.refusal.empty()) {
        best.standing = Standing::does_not_apply;
        return best;
    }
    const Prediction prediction(algorithm, grid, problem);
    const double worth_it = more_segments_worth_it(grid.costs());
    for (const int segments : choices) {
        problem.segments = segments;
        const double seconds = seconds_of(request.call, prediction, algorithm, grid, problem, request.bytes);
        // Past the best number, more segments take ever longer.
        constexpr double past_it = 1.5;
        const bool first = segments == choices.front();
        if (first || seconds < worth_it * best.seconds) best = {&algorithm, problem, seconds, ""};
        if (seconds > past_it * best.seconds) break;
    }
    best.receivers_at_once = receivers_at_once(algorithm, grid, request);
    if (preferences.algorithm == nullptr) refuse_unless_asked_for(best, grid, request, preferences);
    return best;
}

/// Whether the row is considered at all.
bool considered(const Algorithm& algorithm, const Grid& grid, const Request& request, const Preferences& preferences) {
    if (!algorithm.serves(request.call)) return false;
    if (preferences.algorithm != nullptr && preferences.algorithm != &algorithm) return false;
    if (preferences.fixed_order && combines(request.collective())) return algorithm.fixed_order;
    if (!is_on_request(algorithm, grid) || preferences.algorithm != nullptr || preferences.list_references) return true;
    return algorithm.reference && references_compete(grid, request, preferences);
}

/// Leaves a barrier to the previous module unless a candidate is predicted to be faster. Not where it goes through the
/// memory of one host, which that module's messages do not.
void compare_with_other_barriers(const Grid& grid, std::vector<Candidate>& candidates) {
    constexpr double rounding = 1e-6;
    const double other = rank_order_barrier_seconds(grid);
    for (Candidate& candidate : candidates) {
        if (!candidate.refusal.empty() || candidate.seconds < other * (1 - rounding)) continue;
        candidate.standing = Standing::not_worth_it;
        candidate.refusal = "no faster than in rank order, predicted " + duration_text(other) + ", as other modules do";
    }
}

/// The candidate with the lowest time that counts and is not refused, of equally fast ones the first; where fewer
/// messages at once are worth more time, of those that take no more than that the one with the fewest. -1 for none.
int fastest(const std::vector<Candidate>& candidates, double more_worth_it) {
    double least = infinite_seconds;
    for (const Candidate& candidate : candidates) {
        if (candidate.refusal.empty()) least = std::min(least, counted_seconds(candidate));
    }
    const double most = least / more_worth_it;
    const auto is_better = [&](const Candidate& candidate, const Candidate& best) {
        const int own = candidate.messages_at_once(), other = best.messages_at_once();
        if (more_worth_it < 1 && own != other) return own < other;
        const double seconds = counted_seconds(candidate), least_yet = counted_seconds(best);
        return seconds < least_yet && !equally_fast(seconds, least_yet);
    };
    int found = -1;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        const double seconds = counted_seconds(candidate);
        if (!candidate.refusal.empty() || (seconds > most && !equally_fast(seconds, least))) continue;
        if (found < 0 || is_better(candidate, candidates[found])) found = static_cast<int>(i);
    }
    return found;
}

/// Chooses the fastest reference instead if it is clearly faster: rows that know the network are better predicted, and
/// may have been content with fewer segments.
void compare_with_references(Decision& decision) {
    const Candidate& chosen = decision.candidates[decision.chosen];
    Candidate* best = nullptr;
    for (Candidate& candidate : decision.candidates) {
        if (!is_competing_reference(candidate)) continue;
        const bool more_messages = candidate.problem.segments > chosen.problem.segments ||
                                   candidate.messages_at_once() > chosen.messages_at_once();
        const double limit = reference_is_faster * (more_messages ? decision.more_at_once_worth_it : 1);
        if (candidate.seconds >= limit * chosen.seconds) continue;
        if (best == nullptr || candidate.seconds < best->seconds) best = &candidate;
    }
    if (best == nullptr) return;
    best->standing = Standing::eligible;
    best->refusal.clear();
    decision.chosen = static_cast<int>(best - decision.candidates.data());
}

/// Leaves it to the previous module where that is clearly faster, or would do the same.
void compare_with_previous(Decision& decision, CloseLook& close_look) {
    Candidate& previous = *decision.previous;
    const Candidate& chosen = decision.candidates[decision.chosen];
    // A reference that tuned would take is as well done there.
    const bool same = chosen.algorithm == previous.algorithm;
    if (!same) close_look.predict_previous(previous, previous_is_faster * chosen.seconds);
    if (same || is_clearly_faster(previous, chosen)) decision.chosen = -1;
}

}  // namespace

std::string Candidate::text() const {
    std::string text(algorithm->name);
    if (algorithm->uses_lanes) text += ", " + counted(problem.lanes, "lane", "lanes");
    if (algorithm->uses_aggregators)
        text += ", " + counted(problem.aggregators, "aggregator", "aggregators") + " per host";
    if (algorithm->uses_segments) text += ", " + counted(problem.segments, "segment", "segments");
    return text;
}

int Candidate::messages_at_once() const {
    constexpr int most = std::numeric_limits<int>::max();
    if (receivers_at_once == ReceiversAtOnce::all) return most;
    return receivers_at_once == ReceiversAtOnce::several ? most - 1 : problem.lanes;
}

int pieces_of(Call call, const Grid& grid) {
    if (!is_neighborhood(call)) return grid.ranks();
    return grid.cartesian() != nullptr ? grid.cartesian()->neighbors() : 1;
}

Request request_for(Call call, int pieces) {
    if (has_unequal_pieces(call)) return {call, typical_piece_bytes * pieces};
    return {call, call == Call::barrier ? 1.0 : 0.0};
}

Decision decide(const Grid& grid, const Request& request, const Preferences& preferences) {
    Decision decision;
    for (const Algorithm& algorithm : catalogue()) {
        if (!considered(algorithm, grid, request, preferences)) continue;
        for (const int aggregators : aggregator_choices(algorithm, grid, request.bytes, preferences)) {
            for (const int lanes : lane_choices(algorithm, grid, request, preferences)) {
                const Problem problem{.collective = request.collective(),
                                      .aggregators = aggregators,
                                      .lanes = lanes,
                                      .segments = 1,
                                      .root = request.root,
                                      .in_rank_order = !request.commutative};
                decision.candidates.push_back(examine_segments(algorithm, problem, grid, request, preferences));
            }
        }
    }
    CloseLook close_look(grid, request);
    close_look.predict_choice(decision.candidates, preferences);
    // Of ranks in one memory that a trial takes to be on many hosts, it is known on how many processors they are.
    const bool within_memory = preferences.host_memory && (grid.hosts() == 1 || grid.processors() > 0);
    if (request.call == Call::barrier && preferences.algorithm == nullptr && !within_memory) {
        compare_with_other_barriers(grid, decision.candidates);
    }
    decision.more_at_once_worth_it = more_at_once_worth_it(grid.costs());
    decision.chosen = fastest(decision.candidates, decision.more_at_once_worth_it);
    const bool references = decision.chosen >= 0 && references_compete(grid, request, preferences);
    if (references) compare_with_references(decision);
    const bool in_one_memory = references && choose_for_one_memory(grid, request, preferences, decision);
    decision.previous = predict_previous(grid, request, preferences);
    if (decision.previous && decision.chosen >= 0 && !in_one_memory) compare_with_previous(decision, close_look);
    if (preferences.predict_all) close_look.predict_all(decision.previous);
    return decision;
}

bool equally_fast(double one, double other) {
    constexpr double rounding = 1e-9;
    return std::abs(one - other) <= rounding * std::max(one, other);
}

int size_class(std::size_t bytes) {
    return std::bit_width(bytes);
}

double representative_bytes(int size_class) {
    return size_class == 0 ? 0 : static_cast<double>(std::size_t{1} << (size_class - 1));
}

std::string bytes_text(double bytes) {
    constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 4; ++unit) bytes /= 1024;
    char text[32];
    std::snprintf(text, sizeof text, "%.4g %s", bytes, units[unit]);
    return text;
}

}  // namespace coll_topo
