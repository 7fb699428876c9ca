// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/fat_tree/submesh_table.hpp"

#include "coll_topo/grid/submesh_phases.hpp"

#include <algorithm>
#include <bit>

namespace coll_topo::submesh {
namespace {

/// Members of an odd number n: the last 2(n - 2^k) of them, with 2^k < n < 2^(k+1), form pairs of neighbours, and the
/// first of each pair goes on for both.
class OddMembers {
public:
    explicit OddMembers(int members)
        : going_on_(static_cast<int>(std::bit_floor(static_cast<unsigned>(members)))),
          single_(2 * going_on_ - members) {}

    int going_on() const { return going_on_; }
    bool paired(int member) const { return member >= single_; }
    bool goes_on(int member) const { return !paired(member) || (member - single_) % 2 == 0; }

    /// The number of a member that goes on, 0 .. going_on()-1, and back.
    int number(int member) const { return paired(member) ? single_ + (member - single_) / 2 : member; }
    int member(int number) const { return paired(number) ? single_ + (number - single_) * 2 : number; }

private:
    int going_on_;
    int single_;  // members below form no pairs
};

/// Appends what `member` does among the members first .. first+members-1 from a phase on, and gives the phase after.
int append_allreduce(std::vector<TablePhase>& table, int first, int members, int member, int phase) {
    if (members == 1) return phase;
    if (members % 2 == 0) {
        const int half = members / 2;
        const bool upper = member >= first + half;
        phase = append_allreduce(table, upper ? first + half : first, half, member, phase);
        table.push_back({phase, upper ? member - half : member + half, TableRole::exchange});
        return phase + 1;
    }
    const OddMembers odd(members);
    const int end = phase + allreduce_phases(members);
    if (!odd.goes_on(member - first)) {
        table.push_back({phase, member - 1, TableRole::exchange});
        table.push_back({end - 1, member - 1, TableRole::take});
        return end;
    }
    const bool paired = odd.paired(member - first);
    if (paired) table.push_back({phase, member + 1, TableRole::exchange});
    const std::size_t begin = table.size();
    append_allreduce(table, 0, odd.going_on(), odd.number(member - first), phase + 1);
    for (std::size_t i = begin; i < table.size(); ++i) table[i].partner = first + odd.member(table[i].partner);
    if (paired) table.push_back({end - 1, member + 1, TableRole::send});
    return end;
}

}  // namespace

std::vector<TablePhase> allreduce_table(int members, int member) {
    std::vector<TablePhase> table;
    append_allreduce(table, 0, members, member, 0);
    return table;
}

std::vector<TablePhase> reduce_table(int members, int member, int root) {
    std::vector<TablePhase> table;
    const int own = (member - root + members) % members;
    for (int phase = 0, distance = 1; distance < members; ++phase, distance *= 2) {
        if (own % (2 * distance) != 0) {
            table.push_back({phase, (member - distance + members) % members, TableRole::send});
            break;
        }
        if (own + distance < members) table.push_back({phase, (member + distance) % members, TableRole::fold});
    }
    return table;
}

std::vector<TablePhase> bcast_table(int members, int member, int root) {
    std::vector<TablePhase> table = reduce_table(members, member, root);
    std::ranges::reverse(table);
    for (TablePhase& phase : table) {
        phase.phase = tree_phases(members) - 1 - phase.phase;
        phase.role = phase.role == TableRole::send ? TableRole::take : TableRole::send;
    }
    return table;
}

}  // namespace coll_topo::submesh
