// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"
#include "coll_topo/verify/contributions.hpp"
#include "coll_topo/verify/memory.hpp"

#include <string>

namespace coll_topo::verify {

/// What a collective starts from and must end with.
class Goal {
public:
    using Word = Contributions::Word;

    /// The root matters to collectives that have one. `in_order`: see prove().
    Goal(Collective collective, int ranks, int root, bool in_order);

    /// How values are kept. Those of an alltoall are pieces, numbered source * ranks + destination.
    const Contributions& contributions() const { return contributions_; }

    /// Puts down what a rank holds before its first step, in values that hold nothing yet.
    void set_start(int rank, const Memory& memory, Word* values) const;
    /// What a rank lacks after its last step, or "".
    std::string missing(int rank, const Memory& memory, const Word* values) const;

private:
    bool reached(int rank, int block, int blocks, const Word* value) const;
    std::string demand(int rank, int block, int blocks) const;
    std::string text(const Word* value) const;
    std::string piece_text(int piece) const;

    Collective collective_;
    int ranks_;
    int root_;
    Contributions contributions_;
};

}  // namespace coll_topo::verify
