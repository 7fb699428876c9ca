// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/cartesian.hpp"
#include "coll_topo/schedule/program.hpp"
#include "coll_topo/verify/contributions.hpp"
#include "coll_topo/verify/memory.hpp"

#include <span>
#include <string>

namespace coll_topo::verify {

/// What a collective starts from and must end with.
class Goal {
public:
    using Value = Contributions::Value;

    /// The root matters to collectives that have one, the Cartesian topology to those of neighbours. `in_order`: see
    /// prove().
    Goal(Collective collective, int ranks, int root, bool in_order, const Cartesian* cartesian = nullptr);

    /// The values. Those of an alltoall are pieces, numbered source * ranks + destination; of a neighbor_alltoall
    /// source * neighbours + which of these it is for.
    Contributions& contributions() { return contributions_; }

    /// Puts down what a rank holds before its first step, in values that hold nothing yet.
    void set_start(int rank, const Memory& memory, std::span<Value> values) const;
    /// What a rank lacks after its last step, or "".
    std::string missing(int rank, const Memory& memory, std::span<const Value> values) const;

private:
    /// What is wrong if a rank that has no output writes there, or "".
    static std::string written(const Memory& memory, std::span<const Value> output);
    bool reached(int rank, int block, int blocks, Value value) const;
    /// What a rank must get from a neighbour; `nothing` if there is none.
    Value from_neighbor(int rank, int number) const;
    std::string demand(int rank, int block, int blocks) const;
    std::string text(Value value) const;
    std::string piece_text(int piece) const;

    Collective collective_;
    int ranks_;
    int root_;
    const Cartesian* cartesian_;
    Contributions contributions_;
};

}  // namespace coll_topo::verify
