// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo {

/// Whole numbers, both ends included.
struct Range {
    std::int64_t least = 0;
    std::int64_t most = std::numeric_limits<std::int64_t>::max();

    bool contains(std::int64_t value) const { return least <= value && value <= most; }
    bool contains(const Range& other) const { return least <= other.least && other.most <= most; }
    bool operator==(const Range&) const = default;
};

/// A line of a file of rules: which operations it is for, and how they are to be served.
struct Rule {
    enum class Choice {
        by_time,   ///< Algorithm=auto
        previous,  ///< the module that was there before
        algorithm
    };

    /// How a file says so; no algorithm has these names.
    static constexpr std::string_view by_time_name = "auto", previous_name = "previous";

    Call call = Call::allreduce;
    Range bytes;
    Range ranks;
    Range hosts;
    Range ranks_per_host;  ///< that every host must have
    std::string shape;     ///< as shape_of(); empty: any

    Choice choice = Choice::by_time;
    const Algorithm* algorithm = nullptr;  ///< of Choice::algorithm
    int lanes = 0;                         ///< 0: by predicted time; the same for the next two
    int segments = 0;
    int aggregators = 0;

    SourceLocation where;

    /// Whether it is for communicators with this grid.
    bool suits(const Grid& grid) const;
    /// Whether it matches whatever the other rule matches.
    bool covers(const Rule& other) const;
    /// As after Algorithm=: "previous", "auto", "bfb".
    std::string_view choice_name() const;
    /// "bfb, 4 lanes, 8 segments".
    std::string choice_text() const;
    /// "FILE:LINE".
    std::string place() const { return SourceLocation{where.file, where.line}.text(); }
};

/// The first rule that matches counts.
using Rules = std::vector<Rule>;

/// Depends only on what the rules mean, not on where they are written. No rules: 0.
std::uint64_t digest_of(const Rules& rules);

/// What is odd about rules without being wrong: those that can never count, as one before them matches all that they
/// match, and keys that have no effect.
std::vector<Error> remarks_on(const Rules& rules);

/// The rules for one call of a communicator, which must outlive it. Sizes fall into ranges within which the same
/// rules match.
class RuleTable {
public:
    RuleTable() : RuleTable({}, nullptr, Call::allreduce) {}
    RuleTable(std::span<const Rule> rules, const Grid& grid, Call call) : RuleTable(rules, &grid, call) {}

    bool empty() const { return rules_.empty(); }
    int ranges() const { return static_cast<int>(first_of_range_.size()); }
    int range_of(std::size_t bytes) const;
    /// Bytes.
    std::size_t first_of(int range) const { return static_cast<std::size_t>(first_of_range_[range]); }
    /// In the order of the file.
    std::vector<const Rule*> matching(int range) const;

private:
    RuleTable(std::span<const Rule> rules, const Grid* grid, Call call);

    std::vector<const Rule*> rules_;
    std::vector<std::int64_t> first_of_range_;  // bytes, ascending from 0
};

}  // namespace coll_topo
