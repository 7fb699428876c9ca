// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

/// The procedure tables of the submesh algorithm: who meets whom in which phase when n members, numbered 0 .. n-1, form
/// the result of all of them, in allreduce_phases() or tree_phases() of submesh_phases.hpp. In a phase a member has at
/// most one partner, and what it holds always stands for consecutive members. Times and memory grow with log n.
namespace coll_topo::submesh {

/// What a member does with its partner in a phase.
enum class TableRole : std::uint8_t {
    exchange,  ///< sends what it holds, and folds in what the partner holds
    send,      ///< sends what it holds
    fold,      ///< folds in what the partner sends
    take,      ///< has from now on what the partner sends
};

struct TablePhase {
    int phase;    ///< from 0
    int partner;  ///< member
    TableRole role;

    bool operator==(const TablePhase&) const = default;
};

/// Allreduce(n), as seen by one member:
/// n = 1: nothing. n even: both halves at the same time, then each member exchanges with the one as far in the other
/// half. n odd: the last ones exchange in pairs, as many as leave a power of two if one of each pair goes on; when
/// these have the result, they give it to their partners. The source has one pair at this point, and then again one
/// where a half is odd, which is the same for n = 3, 5, 9, 17, … and takes more phases for 7, 11, 13, 15, …
std::vector<TablePhase> allreduce_table(int members, int member);

/// A binomial tree towards the root, numbered from there: the near members first. Consecutive only for root 0.
std::vector<TablePhase> reduce_table(int members, int member, int root);
/// The same backwards: from the root, the far members first.
std::vector<TablePhase> bcast_table(int members, int member, int root);

}  // namespace coll_topo::submesh
