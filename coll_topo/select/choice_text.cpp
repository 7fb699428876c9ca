// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/choice_text.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/select/candidate_lines.hpp"
#include "coll_topo/select/compared_seconds.hpp"
#include "coll_topo/select/previous_module.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace coll_topo {

namespace {

/// What does the call; null: the previous module, of which no more is known.
const Candidate* taken(const Decision& decision) {
    if (decision.chosen >= 0) return &decision.candidates[decision.chosen];
    return decision.previous ? &*decision.previous : nullptr;
}

bool is_previous(const Decision& decision, const Candidate* candidate) {
    return candidate == nullptr || (decision.previous && candidate == &*decision.previous);
}

std::string name_of(const Decision& decision, const Candidate* candidate) {
    if (candidate == nullptr) return "previous module";
    return (is_previous(decision, candidate) ? "tuned: " : "") + std::string(candidate->algorithm->name);
}

/// The candidates with a predicted time, and the previous module's, the fastest first; of equals the first listed.
std::vector<const Candidate*> by_time(const Decision& decision) {
    std::vector<const Candidate*> all;
    for (const Candidate& candidate : decision.candidates) {
        if (candidate.standing != Standing::does_not_apply) all.push_back(&candidate);
    }
    if (decision.previous) all.push_back(&*decision.previous);
    std::ranges::stable_sort(all, {}, [](const Candidate* candidate) { return candidate->seconds; });
    // Of those that are equally fast the one that does the call is first.
    const auto first = std::ranges::find(all, taken(decision));
    auto to = first;
    while (first != all.end() && to != all.begin() && equally_fast((*std::prev(to))->seconds, (*first)->seconds)) --to;
    if (first != all.end()) std::rotate(to, first, first + 1);
    return all;
}

/// The fastest of another algorithm than the one that does the call; null if there is none.
const Candidate* runner_up(const Decision& decision) {
    const Candidate* const winner = taken(decision);
    const Candidate* best = nullptr;
    for (const Candidate* const candidate : by_time(decision)) {
        const bool same = winner != nullptr && candidate->algorithm == winner->algorithm &&
                          is_previous(decision, candidate) == is_previous(decision, winner);
        if (same || candidate->standing == Standing::on_request) continue;
        if (best == nullptr || candidate->standing < best->standing) best = candidate;
    }
    return best;
}

/// Rows that stand so with all lanes: one that needs several does not apply with one.
std::string refused_text(const Decision& decision, Standing standing) {
    const auto stands_better = [&](const Candidate& candidate) {
        return std::ranges::any_of(decision.candidates, [&](const Candidate& other) {
            return other.algorithm == candidate.algorithm && other.standing < candidate.standing;
        });
    };
    std::vector<Candidate> refused;
    std::ranges::copy_if(decision.candidates, std::back_inserter(refused), [&](const Candidate& candidate) {
        return candidate.standing == standing && !stands_better(candidate);
    });
    return coll_topo::refused_text(refused);
}

/// What decisions must share to be one line.
std::string line_key(const Decision& decision, Detail detail) {
    const Candidate* const winner = taken(decision);
    std::string key = name_of(decision, winner);
    if (winner != nullptr && winner->algorithm->uses_lanes) key += ' ' + std::to_string(winner->problem.lanes);
    if (detail >= Detail::runners_up) key += ' ' + decision.rule;
    return key;
}

/// All digits where a rule begins within a power of two.
std::string first_size(double bytes) {
    const auto whole = static_cast<std::size_t>(bytes);
    return representative_bytes(size_class(whole)) == bytes ? bytes_text(bytes) : std::to_string(whole) + " B";
}

void add_others(const Decision& decision, Detail detail, const std::vector<std::string>& before,
                CandidateLines& lines) {
    const Candidate* const winner = taken(decision);
    const auto add = [&](const Candidate* candidate) {
        lines.add(before, "  " + name_of(decision, candidate), candidate, remark_on(decision, *candidate));
    };
    if (detail == Detail::runners_up) {
        if (const Candidate* const second = runner_up(decision)) add(second);
    } else {
        for (const Candidate* const candidate : by_time(decision)) {
            if (candidate != winner) add(candidate);
        }
    }
}

/// What is said below the table, each sentence once.
void add_notes(const Decision& decision, Detail detail, std::vector<std::string>& notes) {
    const auto add = [&](const std::string& note) {
        if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    };
    for (const std::string& rule : decision.passed_over) add("Not by the rule at " + rule);
    const std::string rest = refused_text(decision, Standing::does_not_apply);
    if (detail >= Detail::candidates && !rest.empty()) add("Do not apply: " + rest);
}

}  // namespace

std::string compared_text(double seconds, double to) {
    char text[64];
    const double percent = 100 * (std::max(seconds, to) / std::min(seconds, to) - 1);
    const char* const which = seconds < to ? "faster" : "slower";
    if (seconds >= 2 * to) {
        std::snprintf(text, sizeof text, "%.3g times as long", seconds / to);
    } else if (percent < 0.1) {
        std::snprintf(text, sizeof text, "less than 0.1 %% %s", which);
    } else {
        std::snprintf(text, sizeof text, "%.*f %% %s", percent < 0.95 ? 1 : 0, percent, which);
    }
    return text;
}

std::string refused_text(std::span<const Candidate> refused) {
    std::vector<std::pair<std::string, std::string>> groups;  // reason, names
    for (const Candidate& candidate : refused) {
        auto group = std::ranges::find(groups, candidate.refusal, &std::pair<std::string, std::string>::first);
        if (group == groups.end()) group = groups.insert(group, {candidate.refusal, ""});
        const std::string name(candidate.algorithm->name);
        if ((", " + group->second + ",").find(", " + name + ",") != std::string::npos) continue;
        group->second += (group->second.empty() ? "" : ", ") + name;
    }
    std::string text;
    for (const auto& [reason, names] : groups) text += (text.empty() ? "" : "; ") + names + " (" + reason + ")";
    return text;
}

std::string remark_on(const Decision& decision, const Candidate& candidate) {
    const Candidate* const winner = taken(decision);
    if (&candidate == winner) return "chosen";
    if (!candidate.refusal.empty()) return candidate.refusal;
    if (winner == nullptr) return decision.rule.empty() ? "" : "not as the rule says";
    const bool more_at_once = candidate.messages_at_once() > winner->messages_at_once();
    if (equally_fast(candidate.seconds, winner->seconds)) {
        if (is_previous(decision, &candidate)) return "no faster";
        const bool decides = more_at_once && decision.more_at_once_worth_it < 1;
        return decides ? "equally fast, but sends more messages at once" : "equally fast, listed later";
    }
    if (candidate.seconds > winner->seconds) return compared_text(candidate.seconds, winner->seconds);
    const std::string faster = compared_text(candidate.seconds, winner->seconds);
    if (!decision.rule.empty()) return faster;
    if (is_previous(decision, &candidate) && !is_clearly_faster(candidate, *winner)) {
        return faster + ", too little to tell";
    }
    const double worth_it =
        counted_seconds(candidate) > candidate.seconds ? more_lanes_worth_it : decision.more_at_once_worth_it;
    if (more_at_once && candidate.seconds >= worth_it * winner->seconds) {
        return faster + ", but sends more messages at once";
    }
    return faster + ", but not in the shorter replays, of the power of two below, that decide";
}

std::string choices_text(Call call, std::span<const SizedDecision> decisions, Detail detail, std::size_t indent) {
    const bool sizes = has_size(call);
    std::vector<TextTable::Column> first_columns;
    if (sizes) first_columns.push_back({"from"});
    CandidateLines lines(std::move(first_columns), detail >= Detail::candidates, detail >= Detail::runners_up, indent);
    std::string last;
    std::vector<std::string> notes;
    for (const auto& [bytes, decision] : decisions) {
        const std::string key = line_key(decision, detail);
        if (key == last) continue;
        last = key;
        const Candidate* const winner = taken(decision);
        std::vector<std::string> before(sizes ? 1 : 0);
        if (sizes) before[0] = first_size(bytes);
        lines.add(before, name_of(decision, winner), winner,
                  decision.rule.empty() ? "" : "by the rule at " + decision.rule);
        if (detail < Detail::runners_up) continue;
        before.assign(before.size(), "");
        add_others(decision, detail, before, lines);
        add_notes(decision, detail, notes);
    }
    std::string text = lines.text();
    for (const std::string& note : notes) text += wrapped(std::string(indent, ' ') + note, indent + 4);
    return text;
}

std::string candidates_text(const Decision& decision, bool whole) {
    CandidateLines lines({}, true, true, 0);
    std::vector<const Algorithm*> listed;
    std::string on_request;
    if (taken(decision) == nullptr) lines.add({}, name_of(decision, nullptr), nullptr, "chosen");
    for (const Candidate* const candidate : by_time(decision)) {
        const bool previous = is_previous(decision, candidate);
        if (!whole && !previous) {
            if (candidate->standing == Standing::not_worth_it) continue;
            if (std::ranges::find(listed, candidate->algorithm) != listed.end() && candidate != taken(decision))
                continue;
            listed.push_back(candidate->algorithm);
            if (candidate->standing == Standing::on_request) {
                on_request += (on_request.empty() ? "" : ", ") + std::string(candidate->algorithm->name) + " " +
                              duration_text(candidate->seconds);
                continue;
            }
        }
        lines.add({}, name_of(decision, candidate), candidate, remark_on(decision, *candidate));
    }
    if (whole) {
        for (const Candidate& candidate : decision.candidates) {
            if (candidate.standing == Standing::does_not_apply) {
                lines.add({}, name_of(decision, &candidate), &candidate, candidate.refusal);
            }
        }
        return lines.text();
    }
    std::string text = lines.text();
    const auto add = [&](std::string_view title, const std::string& list) {
        if (!list.empty()) text += '\n' + wrapped(std::string(title) + list, 4);
    };
    add("Only when asked for: ", on_request);
    add("Not worth trying: ", refused_text(decision, Standing::not_worth_it));
    add("Do not apply: ", refused_text(decision, Standing::does_not_apply));
    return text;
}

std::string call_text(const Request& request, int pieces) {
    std::string text(call_name(request.call));
    if (has_unequal_pieces(request.call)) {
        text += " of any sizes, compared for " + bytes_text(request.bytes / pieces) +
                (is_neighborhood(request.call) ? " to each neighbour" : " to each rank");
    }
    if (!request.commutative) text += ", operation does not commute";
    return text;
}

}  // namespace coll_topo
