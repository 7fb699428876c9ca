// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/engine/engine.h"
#include "coll_topo/grid/cartesian.hpp"
#include "coll_topo/grid/placement.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace coll_topo {

/// What one communicator has decided, for others of the process that are like it: any of them would decide the same.
/// Threads may share it.
class KnownDecisions {
public:
    /// What the answer depends on besides what communicators have in common.
    struct Question {
        Call call;
        int range;  ///< of RuleTable
        int size_class;
        bool commutative;
        bool fixed_order;
        auto operator<=>(const Question&) const = default;
    };
    /// No algorithm: the previous module.
    struct Answer {
        const Algorithm* algorithm = nullptr;
        Problem problem = {};
    };

    std::optional<Answer> find(const Question& question) const;
    void add(const Question& question, const Answer& answer);
    std::size_t size() const;

private:
    mutable std::mutex mutex_;
    std::map<Question, Answer> answers_;
};

/// What decisions of a communicator depend on besides the network. It takes as little memory for 10^5 ranks as for
/// two: where ranks are, and the rules, are compared by digests; that two differ and have the same one happens once in
/// 2^64 pairs.
struct DecisionBasis {
    std::uint64_t placement_digest;
    std::vector<Cartesian::Dimension> cartesian;  ///< empty: none
    coll_topo_settings settings;                  ///< without rules:
    std::uint64_t rules_digest;

    DecisionBasis(const Placement& placement, const coll_topo_settings& settings);
    bool operator==(const DecisionBasis& other) const;
};

/// The decisions on one network, also of communicators that are gone: those of the few used last, some kilobytes each.
/// Threads may share it.
class DecisionCache {
public:
    static constexpr std::size_t most = 8;

    /// Those for communicators like this one.
    std::shared_ptr<KnownDecisions> of(const DecisionBasis& basis);

private:
    struct Entry {
        DecisionBasis basis;
        std::shared_ptr<KnownDecisions> decisions;
    };

    std::mutex mutex_;
    std::vector<Entry> entries_;  // the one used last at the end
};

}  // namespace coll_topo
