// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/contributions.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

namespace coll_topo::verify {
namespace {

constexpr std::size_t mix(std::size_t hash, std::uint64_t more) {
    hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

}  // namespace

std::size_t Contributions::Hash::operator()(Value value) const {
    Run single;
    std::size_t hash = 0;
    for (const Run& run : of->runs(value, single)) {
        hash = mix(hash, static_cast<std::uint64_t>(run.begin) << 32 | static_cast<std::uint32_t>(run.end));
    }
    return hash;
}

bool Contributions::Equal::operator()(Value a, Value b) const {
    Run single_a, single_b;
    return std::ranges::equal(of->runs(a, single_a), of->runs(b, single_b));
}

std::span<const Contributions::Run> Contributions::runs(Value value, Run& single) const {
    if (value == nothing) return {};
    if (is_single(value)) {
        const auto rank = static_cast<std::int32_t>(value - 1);
        single = {rank, rank + 1};
        return {&single, 1};
    }
    const Set& set = sets_[value - count_ - 1];
    return {runs_.data() + set.first, runs_.data() + set.end};
}

bool Contributions::is_first(Value value, int count) const {
    Run single;
    const auto held = runs(value, single);
    return held.size() == 1 && held.front() == Run{0, count};
}

// Appends the runs of both to runs_. False if they share a contribution; then some may have been appended.
bool Contributions::append_union(Value left, Value right) {
    Run single_left, single_right;
    const std::size_t most = runs(left, single_left).size() + runs(right, single_right).size();
    if (runs_.capacity() < runs_.size() + most) runs_.reserve(std::max(2 * runs_.capacity(), runs_.size() + most));
    std::span<const Run> a = runs(left, single_left), b = runs(right, single_right);  // now that they stay in place
    const std::size_t first = runs_.size();
    while (!a.empty() || !b.empty()) {
        auto& next = b.empty() || (!a.empty() && a.front().begin < b.front().begin) ? a : b;
        const Run run = next.front();
        next = next.subspan(1);
        if (runs_.size() == first || runs_.back().end < run.begin) {
            runs_.push_back(run);
        } else if (runs_.back().end == run.begin) {
            runs_.back().end = run.end;
        } else {
            return false;
        }
    }
    return true;
}

Contributions::Value Contributions::unite(Value left, Value right) {
    if (in_order_) {
        Run single_left, single_right;
        const auto a = runs(left, single_left), b = runs(right, single_right);
        if (a.empty() || b.empty() || a.back().end != b.front().begin) return nothing;
    }
    const std::size_t first = runs_.size();
    if (!append_union(left, right)) {
        runs_.resize(first);
        return nothing;
    }
    const std::size_t value = count_ + 1 + sets_.size();
    if (value > std::numeric_limits<Value>::max()) throw std::length_error("too many different sets of contributions");
    sets_.push_back({first, runs_.size()});
    const auto [known, is_new] = known_.insert(static_cast<Value>(value));
    if (is_new) return static_cast<Value>(value);
    sets_.pop_back();
    runs_.resize(first);
    return *known;
}

Contributions::Value Contributions::combine(Value left, Value right) {
    if (left == nothing || right == nothing) return nothing;
    if (!in_order_ && right < left) std::swap(left, right);
    if (recent_.empty()) recent_.resize(std::bit_ceil(static_cast<unsigned>(count_)) * 2);
    Combined& recent = recent_[mix(left, right) & (recent_.size() - 1)];
    if (recent.left != left || recent.right != right) recent = {left, right, unite(left, right)};
    return recent.both;
}

int Contributions::lowest(Value value) const {
    Run single;
    const auto all = runs(value, single);
    return all.empty() ? -1 : all.front().begin;
}

std::string Contributions::text(Value value) const {
    if (value == nothing) return "nothing";
    Run single;
    std::string list;
    for (const Run& run : runs(value, single)) {
        list += (list.empty() ? "" : ", ") + std::to_string(run.begin);
        if (run.end - run.begin > 1) list += "-" + std::to_string(run.end - 1);
    }
    return "ranks " + list;
}

}  // namespace coll_topo::verify
