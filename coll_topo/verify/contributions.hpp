// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace coll_topo::verify {

/// Sets of contributions, each kept once: the symbolic value of a block is the number of such a set. A contribution is
/// numbered by its rank, unless the user of this class gives the numbers another meaning. Equal sets have equal
/// numbers, so that blocks of thousands of ranks need four bytes each, however many contributions they hold.
class Contributions {
public:
    using Value = std::uint32_t;

    /// What a block holds before anything is in it.
    static constexpr Value nothing = 0;

    /// Contributions 0 .. count-1. `in_order`: combined only with neighbours, in their order.
    Contributions(int count, bool in_order) : count_(count), in_order_(in_order) {}
    Contributions(const Contributions&) = delete;
    Contributions& operator=(const Contributions&) = delete;

    /// The contribution of one rank alone.
    static Value only(int rank) { return static_cast<Value>(rank) + 1; }
    /// Whether a value is all contributions.
    bool all(Value value) const { return is_first(value, count_); }
    /// Whether a value is the contributions 0 .. count-1.
    bool is_first(Value value, int count) const;

    /// Two values combined in this order; `nothing` if either is nothing, a contribution would count twice, or, in
    /// order, the two are not neighbours that way round.
    Value combine(Value left, Value right);

    /// The lowest contribution in a value, -1 if it holds nothing.
    int lowest(Value value) const;
    /// "ranks 0-3, 7" or "nothing".
    std::string text(Value value) const;

private:
    /// Contributions [begin, end).
    struct Run {
        std::int32_t begin;
        std::int32_t end;
        bool operator==(const Run&) const = default;
    };
    /// A set's runs, ascending and apart; those of a single contribution are not kept.
    struct Set {
        std::size_t first;
        std::size_t end;
    };
    struct Hash {
        const Contributions* of;
        std::size_t operator()(Value value) const;
    };
    struct Equal {
        const Contributions* of;
        bool operator()(Value a, Value b) const;
    };
    struct Combined {
        Value left = nothing;
        Value right = nothing;
        Value both = nothing;
    };

    bool is_single(Value value) const { return value <= static_cast<Value>(count_); }
    /// `single` is where the run of a single contribution is put.
    std::span<const Run> runs(Value value, Run& single) const;
    bool append_union(Value left, Value right);
    Value unite(Value left, Value right);

    int count_;
    bool in_order_;
    std::vector<Run> runs_;
    std::vector<Set> sets_;  // value count_ + 1 + i is set i
    std::unordered_set<Value, Hash, Equal> known_{0, Hash{this}, Equal{this}};
    std::vector<Combined> recent_;  // what was combined of late, by hash; most blocks of a message repeat it
};

}  // namespace coll_topo::verify
