// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/builder.hpp"

namespace coll_topo {

/// How a root's data get to all ranks, or to the root from them, along groups in which all halve and double. `Groups`
/// is what one rank knows of the groups it is in, in the order of halving:
///     int count() const;
///     int radix(int group) const;
///     int own(int group) const, root(int group) const;  // numbers of this rank and of the root as members
///     int rank_of(int group, int member) const;
///     Blocks share(int group, int member) const;  // what the member keeps in halving
///     int distance(int group, int turn) const;    // how far ahead in the group to send in turn 1 .. radix - 1

/// From the root to the shares of the last groups. Before a group halves, those hold data who have the root's number
/// in all groups that are left.
template <typename Groups>
void scatter_in_groups(ProgramBuilder& builder, const Groups& groups) {
    int giving = groups.count();  // the first group in which this rank gives
    while (giving > 0 && groups.own(giving - 1) == groups.root(giving - 1)) --giving;
    if (giving > 0) {
        const int group = giving - 1;
        builder.receive(groups.rank_of(group, groups.root(group)), groups.share(group, groups.own(group)));
        builder.next_step();
    }
    for (int group = giving; group < groups.count(); ++group) {
        for (int turn = 1; turn < groups.radix(group); ++turn) {
            const int to = (groups.own(group) + groups.distance(group, turn)) % groups.radix(group);
            builder.send(groups.rank_of(group, to), groups.share(group, to));
        }
        builder.next_step();
    }
}

/// The same backwards: a rank collects what the others of its groups have until it comes to one where the root, or
/// another on the way there, collects from it.
template <typename Groups>
void gather_in_groups(ProgramBuilder& builder, const Groups& groups) {
    for (int group = groups.count() - 1; group >= 0; --group) {
        const int own = groups.own(group), to = groups.root(group);
        if (own != to) {
            builder.send(groups.rank_of(group, to), groups.share(group, own));
            builder.next_step();
            return;
        }
        for (int turn = 1; turn < groups.radix(group); ++turn) {
            const int from = (own + turn) % groups.radix(group);
            builder.receive(groups.rank_of(group, from), groups.share(group, from));
        }
        builder.next_step();
    }
}

}  // namespace coll_topo
