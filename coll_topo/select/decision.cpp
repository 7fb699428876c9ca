// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/decision.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/schedule/latency_bound.hpp"
#include "coll_topo/select/barrier.hpp"
#include "coll_topo/select/prediction.hpp"
#include "coll_topo/select/previous_module.hpp"
#include "coll_topo/select/within_host.hpp"

#include <algorithm>
#include <bit>

namespace coll_topo {
namespace {

/// The lane counts to consider: those of the algorithm, or one, one for each axis, and one for each direction of each
/// axis. A short vector takes one.
std::vector<int> lane_choices(const Algorithm& algorithm, const Grid& grid, double bytes,
                              const Preferences& preferences) {
    if (!algorithm.uses_lanes) return {1};
    if (preferences.lanes > 0) return {std::min(preferences.lanes, preferences.max_lanes)};
    if (bytes <= latency_bound_bytes) return {1};
    const int axes = static_cast<int>(grid.axes().size());
    const std::vector<int> wishes =
        algorithm.lane_counts != nullptr ? algorithm.lane_counts(grid) : std::vector{axes, 2 * axes};
    std::vector<int> choices = {1};
    for (const int lanes : wishes) {
        if (lanes > choices.back() && lanes <= preferences.max_lanes) choices.push_back(lanes);
    }
    return choices;
}

std::vector<int> aggregator_choices(const Algorithm& algorithm, const Grid& grid, double bytes,
                                    const Preferences& preferences) {
    if (!algorithm.uses_aggregators) return {1};
    if (preferences.aggregators > 0) return {std::min(preferences.aggregators, grid.fewest_ranks_per_host())};
    if (algorithm.aggregator_counts != nullptr) return algorithm.aggregator_counts(grid);
    const int natural = grid.natural_aggregators();
    const bool messages_count = bytes <= latency_bound_bytes && grid.costs().shared_message_time > 0;
    if (messages_count && natural > 1) return {1, natural};
    return {natural};
}

/// The segment counts to consider: powers of two, as long as no block gets shorter than a byte; one for a short vector.
std::vector<int> segment_choices(const Algorithm& algorithm, int lanes, double bytes, const Preferences& preferences) {
    constexpr int most_segments = 1024;
    if (!algorithm.uses_segments) return {1};
    if (preferences.segments > 0) return {std::min(preferences.segments, most_forced_segments)};
    if (bytes <= latency_bound_bytes) return {1};
    std::vector<int> choices = {1};
    for (int segments = 2; segments <= most_segments && lanes * segments <= bytes; segments *= 2) {
        choices.push_back(segments);
    }
    return choices;
}

/// Why the row cannot serve the request; empty if it can.
std::string why_unable(const Algorithm& algorithm, const Problem& problem, const Grid& grid, const Request& request) {
    std::string refusal = algorithm.refusal(grid, problem);
    if (refusal.empty() && !request.commutative && !algorithm.in_order(grid, problem)) {
        refusal = "combines operands out of rank order, and the operation does not commute";
    }
    return refusal;
}

/// Why a row that could serve the request is not chosen unless asked for; empty if it may be.
std::string why_only_on_request(const Algorithm& algorithm, const Grid& grid, const Request& request,
                                const Preferences& preferences) {
    const bool asked_for = preferences.never_defer || preferences.fixed_order;
    if (grid.hosts() == 1 && !asked_for && request.bytes < least_bytes_within_host(request.collective())) {
        return std::string(why_not_within_host);
    }
    if (algorithm.spreads && request.bytes <= latency_bound_bytes)
        return "so few bytes are not worth that many messages";
    if (algorithm.reference) return "a reference algorithm, run only when asked for by name";
    if (algorithm.fixed_order && !algorithm.also_in_any_order && !preferences.fixed_order) {
        return "combines operands in a fixed order, run only when asked for";
    }
    return {};
}

/// The candidate with the segments predicted to be fastest.
Candidate examine_segments(const Algorithm& algorithm, Problem problem, const Grid& grid, const Request& request,
                           const Preferences& preferences) {
    const std::vector<int> choices = segment_choices(algorithm, problem.lanes, request.bytes, preferences);
    problem.segments = choices.front();
    Candidate best{&algorithm, problem, 0, why_unable(algorithm, problem, grid, request)};
    if (!best.refusal.empty()) return best;
    const Prediction prediction(algorithm, grid, problem);
    for (const int segments : choices) {
        problem.segments = segments;
        const double seconds = prediction.seconds(segments, request.bytes);
        // Twice as many messages cost more than the model knows.
        constexpr double worth_it = 0.95;
        const bool first = segments == choices.front();
        if (first || seconds < worth_it * best.seconds) best = {&algorithm, problem, seconds, ""};
    }
    if (preferences.algorithm == nullptr) {
        best.refusal = why_only_on_request(*best.algorithm, grid, request, preferences);
    }
    return best;
}

/// Whether the row is considered at all.
bool considered(const Algorithm& algorithm, const Request& request, const Preferences& preferences) {
    if (!algorithm.serves(request.call)) return false;
    if (preferences.algorithm != nullptr && preferences.algorithm != &algorithm) return false;
    if (preferences.fixed_order && combines(request.collective())) return algorithm.fixed_order;
    const bool on_request = algorithm.reference || (algorithm.fixed_order && !algorithm.also_in_any_order);
    return !on_request || preferences.algorithm != nullptr || preferences.list_references;
}

/// Leaves a barrier to the previous module unless a candidate is predicted to be faster.
void compare_with_other_barriers(const Grid& grid, std::vector<Candidate>& candidates) {
    constexpr double rounding = 1e-6;
    const double other = rank_order_barrier_seconds(grid);
    for (Candidate& candidate : candidates) {
        if (!candidate.refusal.empty() || candidate.seconds < other * (1 - rounding)) continue;
        candidate.refusal = "no faster than in rank order, predicted " + duration_text(other) + ", as other modules do";
    }
}

std::string why_not(const Candidate& candidate) {
    if (candidate.refusal.empty()) return "predicted " + duration_text(candidate.seconds);
    if (candidate.seconds == 0) return candidate.refusal;
    return candidate.refusal + " (predicted " + duration_text(candidate.seconds) + ")";
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

Request request_for(Call call, int ranks) {
    if (has_unequal_pieces(call)) return {call, typical_piece_bytes * ranks};
    return {call, call == Call::barrier ? 1.0 : 0.0};
}

Decision decide(const Grid& grid, const Request& request, const Preferences& preferences) {
    Decision decision;
    for (const Algorithm& algorithm : catalogue()) {
        if (!considered(algorithm, request, preferences)) continue;
        for (const int aggregators : aggregator_choices(algorithm, grid, request.bytes, preferences)) {
            for (const int lanes : lane_choices(algorithm, grid, request.bytes, preferences)) {
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
    if (request.call == Call::barrier && preferences.algorithm == nullptr) {
        compare_with_other_barriers(grid, decision.candidates);
    }
    for (std::size_t i = 0; i < decision.candidates.size(); ++i) {
        const Candidate& candidate = decision.candidates[i];
        if (!candidate.refusal.empty()) continue;
        if (decision.chosen < 0 || candidate.seconds < decision.candidates[decision.chosen].seconds) {
            decision.chosen = static_cast<int>(i);
        }
    }
    decision.previous = predict_previous(grid, request, preferences);
    if (decision.chosen >= 0 && decision.previous &&
        is_clearly_faster(*decision.previous, decision.candidates[decision.chosen])) {
        decision.chosen = -1;
    }
    return decision;
}

std::string Decision::explanation(const Request& request) const {
    std::string text(call_name(request.call));
    if (has_size(request.call)) text += " from " + bytes_text(request.bytes);
    if (has_unequal_pieces(request.call)) text += " of any size, compared for " + bytes_text(request.bytes);
    if (!request.commutative) text += ", operation does not commute";
    if (chosen < 0)
        text += ": left to the " + (previous ? previous_text(*previous) : "previous module");
    else
        text += ": " + candidates[chosen].text() + ", predicted " + duration_text(candidates[chosen].seconds);
    if (!rule.empty()) text += ", by rule " + rule;
    for (const std::string& other : passed_over) text += "; not by rule " + other;
    if (candidates.empty()) text += ": no algorithm of this component plans it for this network";
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (static_cast<int>(i) == chosen) continue;
        text += "; not " + candidates[i].text() + ": " + why_not(candidates[i]);
    }
    if (chosen >= 0 && previous) text += "; not the " + previous_text(*previous);
    return text;
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
