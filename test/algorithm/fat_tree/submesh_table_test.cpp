// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/fat_tree/submesh_table.hpp"

#include "coll_topo/grid/submesh_phases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <string>

namespace coll_topo::submesh {
namespace {

using TableOf = std::function<std::vector<TablePhase>(int member)>;

// What the source prints for members N1, N2, ...: the partner in each phase, "-" for none.
std::string printed(const TableOf& table_of, int member, int phases) {
    std::vector<std::string> cells(phases, "-");
    for (const auto& [phase, partner, role] : table_of(member)) {
        cells[phase] = "N" + std::to_string(partner + 1);
        if (role == TableRole::send) cells[phase] += " (send)";
        if (role == TableRole::take) cells[phase] += " (receive)";
    }
    std::string text;
    for (const std::string& cell : cells) text += (text.empty() ? "" : ", ") + cell;
    return text;
}

// What a member holds: the values of members first .. last.
struct Held {
    int first;
    int last;
};

// Runs all tables phase by phase. "" if every phase pairs members off, with roles that fit, and folds in only what is
// consecutive (unless `turned`: modulo the number of members) and not yet there.
std::string run(const TableOf& table_of, int members, int phases, std::vector<Held>& held, bool turned = false) {
    std::vector<std::vector<TablePhase>> tables;
    for (int member = 0; member < members; ++member) tables.push_back(table_of(member));
    std::vector<std::size_t> next(members, 0);
    for (int phase = 0; phase < phases; ++phase) {
        const std::vector<Held> before = held;
        for (int member = 0; member < members; ++member) {
            if (next[member] == tables[member].size() || tables[member][next[member]].phase != phase) continue;
            const auto [own_phase, partner, role] = tables[member][next[member]++];
            const auto back = std::ranges::find(tables[partner], phase, &TablePhase::phase);
            const std::string where = "phase " + std::to_string(phase) + ", member " + std::to_string(member);
            if (back == tables[partner].end() || back->partner != member) return where + ": the partner has another";
            const bool gets = role != TableRole::send, gives = back->role != TableRole::send;
            if (gets + gives != (role == TableRole::exchange ? 2 : 1)) return where + ": roles do not fit";
            const Held own = before[member], other = before[partner];
            if (role == TableRole::take) {
                held[member] = other;
            } else if (gets) {
                const bool above = (own.last + 1) % (turned ? members : members + 1) == other.first;
                if (!above && other.last + 1 != own.first) return where + ": the partner's values are no neighbours";
                held[member] = above ? Held{own.first, other.last} : Held{other.first, own.last};
            }
        }
    }
    for (int member = 0; member < members; ++member) {
        if (next[member] != tables[member].size()) return "phases after the last";
    }
    return "";
}

std::vector<Held> own_values(int members) {
    std::vector<Held> held;
    for (int member = 0; member < members; ++member) held.push_back({member, member});
    return held;
}

TEST(SubmeshTable, FiveHostsDoAsInTheSource) {
    const TableOf table = [](int member) { return allreduce_table(5, member); };
    ASSERT_EQ(4, allreduce_phases(5));
    EXPECT_EQ("-, N2, N3, -", printed(table, 0, 4));
    EXPECT_EQ("-, N1, N4, -", printed(table, 1, 4));
    EXPECT_EQ("-, N4, N1, -", printed(table, 2, 4));
    EXPECT_EQ("N5, N3, N2, N5 (send)", printed(table, 3, 4));
    EXPECT_EQ("N4, -, -, N4 (receive)", printed(table, 4, 4));
}

TEST(SubmeshTable, TakesTheSourcesNumberOfPhases) {
    EXPECT_EQ(20, 4 * allreduce_phases(9)) << "729 ranks as 9x9x9, with an allreduce as each of the four tables";
    EXPECT_EQ(11, allreduce_phases(2) + allreduce_phases(16) + allreduce_phases(32) + tree_phases(2)) << "16x32 leaves";
    EXPECT_EQ(0, allreduce_phases(1));
    const std::function<int(int)> source = [&](int members) {
        return members == 1 ? 0 : members % 2 == 0 ? source(members / 2) + 1 : source(members - 1) + 2;
    };
    for (int members = 2; members < 200; ++members) {
        EXPECT_LE(allreduce_phases(members), source(members)) << members;
        EXPECT_LE(tree_phases(members), allreduce_phases(members)) << members;
    }
    for (const int members : {2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 17, 32, 33}) {
        EXPECT_EQ(allreduce_phases(members), source(members)) << members;
    }
    EXPECT_EQ(4, allreduce_phases(7)) << "6 in the source";
}

TEST(SubmeshTable, AllreduceGivesEveryMemberAllValuesInOrder) {
    for (int members = 1; members <= 130; ++members) {
        std::vector<Held> held = own_values(members);
        ASSERT_EQ("", run([&](int member) { return allreduce_table(members, member); }, members,
                          allreduce_phases(members), held))
            << members;
        for (const Held& value : held) ASSERT_TRUE(value.first == 0 && value.last == members - 1) << members;
    }
}

TEST(SubmeshTable, TreesLeadToAndFromEveryRoot) {
    for (int members = 1; members <= 33; ++members) {
        for (int root = 0; root < members; ++root) {
            std::vector<Held> held = own_values(members);
            ASSERT_EQ("", run([&](int member) { return reduce_table(members, member, root); }, members,
                              tree_phases(members), held, root != 0))
                << members << ", root " << root;
            EXPECT_EQ(held[root].first, root);
            EXPECT_EQ(held[root].last, (root + members - 1) % members) << "all values, counted from the root";

            held = own_values(members);
            ASSERT_EQ("", run([&](int member) { return bcast_table(members, member, root); }, members,
                              tree_phases(members), held))
                << members << ", root " << root;
            for (const Held& value : held) ASSERT_EQ(root, value.first) << members << ", root " << root;
        }
    }
}

TEST(SubmeshTable, AMembersTableGrowsWithTheLogarithm) {
    for (const int members : {1 << 20, (1 << 20) - 1, 699051}) {
        for (const int member : {0, members / 3, members - 2, members - 1}) {
            const auto most = 3 * static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(members)));
            EXPECT_LE(allreduce_table(members, member).size(), most);
            EXPECT_LE(reduce_table(members, member, members / 2).size(), most);
        }
    }
}

}  // namespace
}  // namespace coll_topo::submesh
