// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/known_decisions.hpp"

#include "coll_topo/base/digest.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace coll_topo {
namespace {

std::uint64_t digest_of(const Placement& placement) {
    Digest digest;
    digest.add(placement.size());
    for (const RankLocation& at : placement) {
        digest.add(at.host);
        digest.add(std::uint64_t{at.package} << 48 | std::uint64_t{at.numa} << 32 | std::uint64_t{at.l3} << 16 |
                   at.core);
        digest.add(std::uint64_t{at.processors});
    }
    return digest.value();
}

/// Of the settings, all that decisions depend on.
auto decisive(const coll_topo_settings& settings) {
    return std::tie(settings.aggregators, settings.lanes, settings.segments, settings.reproducible,
                    settings.host_memory, settings.compared_with_tuned);
}

}  // namespace

std::optional<KnownDecisions::Answer> KnownDecisions::find(const Question& question) const {
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find(question);
    return found == answers_.end() ? std::nullopt : std::optional(found->second);
}

void KnownDecisions::add(const Question& question, const Answer& answer) {
    const std::lock_guard lock(mutex_);
    answers_.emplace(question, answer);
}

std::size_t KnownDecisions::size() const {
    const std::lock_guard lock(mutex_);
    return answers_.size();
}

DecisionBasis::DecisionBasis(const Placement& placement, const coll_topo_settings& settings)
    : placement_digest(digest_of(placement)), settings(settings), rules_digest(coll_topo_rules_digest(settings.rules)) {
    this->settings.rules = nullptr;
}

bool DecisionBasis::operator==(const DecisionBasis& other) const {
    return rules_digest == other.rules_digest && decisive(settings) == decisive(other.settings) &&
           std::ranges::equal(settings.algorithm, other.settings.algorithm) && cartesian == other.cartesian &&
           placement_digest == other.placement_digest;
}

std::shared_ptr<KnownDecisions> DecisionCache::of(const DecisionBasis& basis) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(entries_, basis, &Entry::basis);
    if (found != entries_.end()) {
        std::rotate(found, found + 1, entries_.end());
        return entries_.back().decisions;
    }
    if (entries_.size() == most) entries_.erase(entries_.begin());
    entries_.push_back({basis, std::make_shared<KnownDecisions>()});
    return entries_.back().decisions;
}

}  // namespace coll_topo
