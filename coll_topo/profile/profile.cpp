// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/profile/profile.hpp"

#include "coll_topo/base/text.hpp"

#include <algorithm>
#include <array>

namespace coll_topo {

namespace {

constexpr std::array<std::string_view, call_form_count> form_names = {"blocking", "nonblocking", "persistent"};

}  // namespace

std::string_view form_name(CallForm form) {
    return form_names[static_cast<std::size_t>(form)];
}

std::optional<CallForm> find_form(std::string_view name) {
    const auto found = std::ranges::find(form_names, name);
    if (found == form_names.end()) return std::nullopt;
    return static_cast<CallForm>(found - form_names.begin());
}

std::string ProfileKey::call_text() const {
    const std::string name(call_name(call));
    if (form == CallForm::nonblocking) return "i" + name;
    return form == CallForm::persistent ? name + "_init" : name;
}

std::string ProfileKey::run_by_text() const {
    std::string text = run_by;
    if (lanes > 0) text += ", " + counted(lanes, "lane", "lanes");
    if (aggregators > 0) text += ", " + counted(aggregators, "aggregator", "aggregators");
    if (segments > 0) text += ", " + counted(segments, "segment", "segments");
    return text;
}

void ProfileRow::add(const ProfileRow& other) {
    calls += other.calls;
    rank_calls += other.rank_calls;
    first_calls += other.first_calls;
    first_seconds += other.first_seconds;
    timed += other.timed;
    weight += other.weight;
    bytes += other.bytes;
    seconds += other.seconds;
    passing += other.passing;
    predicted += other.predicted;
    predicted_calls += other.predicted_calls;
    looked_at += other.looked_at;
    waited += other.waited;
    times.add(other.times);
    transfers.add(other.transfers);
}

std::optional<double> ProfileRow::total() const {
    if (weight > 0) return seconds * static_cast<double>(rank_calls - first_calls) / static_cast<double>(weight);
    return first_calls > 0 ? std::optional(first_seconds) : std::nullopt;
}

std::optional<double> ProfileRow::waiting() const {
    const auto all = total();
    if (!all || looked_at <= 0) return std::nullopt;
    return *all * waited / looked_at;
}

std::optional<double> ProfileRow::prediction() const {
    if (predicted_calls == 0) return std::nullopt;
    return predicted / static_cast<double>(predicted_calls);
}

std::optional<double> ProfileRow::passing_one() const {
    if (!key.passed_on || weight == 0) return std::nullopt;
    return passing / static_cast<double>(weight);
}

int Profile::row_for(const ProfileKey& key) {
    const auto found = std::ranges::find(rows, key, &ProfileRow::key);
    if (found != rows.end()) return static_cast<int>(found - rows.begin());
    rows.emplace_back().key = key;
    return static_cast<int>(rows.size()) - 1;
}

void Profile::add(const ProfileCommunicator& communicator) {
    const auto found = std::ranges::find(communicators, communicator.shape, &ProfileCommunicator::shape);
    if (found == communicators.end()) {
        communicators.push_back(communicator);
        return;
    }
    found->count += communicator.count;
    if (found->members.empty()) found->members = communicator.members;
}

void Profile::add(const Profile& other) {
    job.clock_error = std::max(job.clock_error, other.job.clock_error);
    for (const ProfileCommunicator& communicator : other.communicators) add(communicator);
    for (const ProfileRow& row : other.rows) rows[row_for(row.key)].add(row);
}

}  // namespace coll_topo
