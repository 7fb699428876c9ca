// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/placement_rule.hpp"

#include "coll_topo/input/topology_file.hpp"

#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <set>

namespace coll_topo::test {
namespace {

Fabric latin_square(int order, int hosts_per_leaf) {
    const int hosts = (order * order + order + 1) * hosts_per_leaf;
    const std::string text = "LatinSquareName=l Order=" + std::to_string(order) +
                             " HostsPerLeaf=" + std::to_string(hosts_per_leaf) + " Nodes=h[0-" +
                             std::to_string(hosts - 1) + "] Bandwidth=1GB/s\n";
    return read_topology_text(text, "latin.conf").value().fabric;
}

/// Columns and rows that a rule may take: by the numbers of both.
using Allowed = std::function<bool(int columns, int rows, int hosts)>;

/// Whether the leaves of some columns and rows, as bits, have enough free hosts: `least` on each, and `hosts` together
/// of which no more than `most` are on a leaf.
bool holds(const LeafGrid& grid, unsigned columns, unsigned rows, int least, int most, int hosts) {
    for (int column = 0; column < grid.order; ++column) {
        for (int row = 0; row < grid.order; ++row) {
            if (((columns >> column) & (rows >> row) & 1u) == 0) continue;
            if (grid.free(column, row) < least) return false;
            hosts -= std::min(most, grid.free(column, row));
        }
    }
    return hosts <= 0;
}

/// What the rules promise, tried on every choice of columns and rows.
bool could_place(std::string_view rule, const LeafGrid& grid, int hosts) {
    int square = 0, cube = 0;
    while ((square + 1) * (square + 1) <= hosts) ++square;
    while ((cube + 1) * (cube + 1) * (cube + 1) <= hosts) ++cube;
    for (unsigned columns = 1; columns < 1u << grid.order; ++columns) {
        for (unsigned rows = 1; rows < 1u << grid.order; ++rows) {
            const int a = std::popcount(columns), b = std::popcount(rows);
            const int share = hosts / (a * b), rest = hosts % (a * b);
            const bool even = share > 0 && holds(grid, columns, rows, share, share + 1, hosts);
            if (rule == "best-value" && even) return true;
            if (rule == "powers-of-two" && even && (a & (a - 1)) == 0 && (b & (b - 1)) == 0) return true;
            if (rule == "equal-hosts" && share > 0 && holds(grid, columns, rows, share + (rest > 0), hosts, hosts)) {
                return true;
            }
            if (rule == "one-host-per-leaf" && a == square + 1 && b == a && holds(grid, columns, rows, 1, 1, 0)) {
                return true;
            }
            if (rule == "grow" && holds(grid, columns, rows, 1, hosts, hosts)) return true;
            const int wide = hosts < cube * (cube + 1) * (cube + 1) ? cube : cube + 1;
            const int high = hosts < cube * cube * (cube + 1) ? cube : cube + 1;
            if (rule == "cube" && even && a == wide && b == high) return true;
        }
    }
    return false;
}

/// The leaves of hosts, as column * order + row.
std::set<int> leaves_of(const LeafGrid& grid, const std::vector<std::int32_t>& hosts) {
    std::set<int> leaves;
    for (int leaf = 0; leaf < grid.order * grid.order; ++leaf) {
        for (const std::int32_t host : grid.free_hosts[leaf]) {
            if (std::ranges::find(hosts, host) != hosts.end()) leaves.insert(leaf);
        }
    }
    return leaves;
}

void check_hosts(const JobSite& site, const Job& job, const JobPlacement& placement) {
    RC_ASSERT(static_cast<int>(placement.hosts.size()) == job.hosts);
    std::vector<std::int32_t> all = placement.hosts;
    all.insert(all.end(), placement.surplus.begin(), placement.surplus.end());
    const std::set<std::int32_t> distinct(all.begin(), all.end());
    RC_ASSERT(distinct.size() == all.size());
    RC_ASSERT(std::ranges::includes(job.free_hosts, distinct));
    if (!site.leaf_grid) return;
    const std::set<int> leaves = leaves_of(*site.leaf_grid, all);
    std::set<int> columns, rows;
    for (const int leaf : leaves) {
        columns.insert(leaf / site.leaf_grid->order);
        rows.insert(leaf % site.leaf_grid->order);
    }
    RC_ASSERT(leaves.size() == columns.size() * rows.size());
}

void check_rule(const std::string& name) {
    static const Fabric planes[] = {latin_square(2, 3), latin_square(3, 4)};
    rc::check(name + ": right hosts, or the largest job that could be placed is named", [&] {
        const Fabric& fabric = planes[*rc::gen::inRange(0, 2)];
        const PlacementRule& rule = *find_placement_rule(name);
        const int busy_of_ten = *rc::gen::inRange(0, 8);
        Job job;
        for (int host = 0; host < fabric.hosts.size(); ++host) {
            if (*rc::gen::inRange(0, 10) >= busy_of_ten) job.free_hosts.push_back(host);
        }
        const JobSite site(fabric, job.free_hosts);
        job.hosts = *rc::gen::inRange(1, 40);
        const auto placement = place_job(rule, site, job);
        RC_ASSERT(placement.has_value() == could_place(name, *site.leaf_grid, job.hosts));
        if (placement) return check_hosts(site, job, *placement);

        int largest = static_cast<int>(job.free_hosts.size());
        while (largest > 0 && !could_place(name, *site.leaf_grid, largest)) --largest;
        RC_ASSERT(largest_job(rule, site, job) == largest);
        RC_ASSERT(placement.error().message.find("has " + std::to_string(largest) + " host") != std::string::npos);
    });
}

TEST(PlacementRule, BestValueKeepsItsPromise) {
    check_rule("best-value");
}
TEST(PlacementRule, GrowKeepsItsPromise) {
    check_rule("grow");
}
TEST(PlacementRule, OneHostPerLeafKeepsItsPromise) {
    check_rule("one-host-per-leaf");
}
TEST(PlacementRule, CubeKeepsItsPromise) {
    check_rule("cube");
}
TEST(PlacementRule, PowersOfTwoKeepsItsPromise) {
    check_rule("powers-of-two");
}
TEST(PlacementRule, EqualHostsKeepsItsPromise) {
    check_rule("equal-hosts");
}

Job job_on(const Fabric& fabric, int hosts) {
    Job job;
    job.hosts = hosts;
    for (int host = 0; host < fabric.hosts.size(); ++host) job.free_hosts.push_back(host);
    return job;
}

TEST(PlacementRule, RandomHostsDependOnTheSeedOnly) {
    const Fabric fabric = equal_torus({8, 8});
    const JobSite site(fabric, {});
    const PlacementRule& random = *find_placement_rule("random");
    Job job = job_on(fabric, 20);
    const auto hosts = place_job(random, site, job).value().hosts;
    EXPECT_EQ(std::set<std::int32_t>(hosts.begin(), hosts.end()).size(), 20U);
    EXPECT_TRUE(std::ranges::is_sorted(hosts));
    EXPECT_EQ(place_job(random, site, job).value().hosts, hosts);
    job.seed = 2;
    EXPECT_NE(place_job(random, site, job).value().hosts, hosts);
}

TEST(PlacementRule, ErrorsSayWhatToDo) {
    const Fabric torus = equal_torus({4, 4});
    const JobSite site(torus, {});
    EXPECT_EQ(
        place_job(*find_placement_rule("cube"), site, job_on(torus, 4)).error().message,
        "rule cube is for a Latin-square fat tree, but the file has torus equal, 4x4, wrapped yy, 16 hosts; --rule "
        "list shows which rules suit it");
    EXPECT_EQ(place_job(*find_placement_rule("box"), site, job_on(torus, 17)).error().message,
              "rule box cannot place a job of 17 hosts: there are 16 free hosts; the largest job that it can place has "
              "16 hosts");
    EXPECT_EQ(find_placement_rule("bx"), nullptr);
}

TEST(PlacementRule, TheFirstThatSuitsIsMadeForTheNetwork) {
    const auto first = [](const Fabric& fabric) {
        const JobSite site(fabric, {});
        return std::ranges::find_if(placement_rules(), [&](const PlacementRule& rule) { return rule.suits(site); })
            ->name;
    };
    EXPECT_EQ(first(equal_torus({2, 2})), "box");
    EXPECT_EQ(first(latin_square(2, 1)), "best-value");
    EXPECT_EQ(first(read_topology_text("SwitchName=s Nodes=n[0-3]\n", "s.conf").value().fabric), "even-spread");
}

}  // namespace
}  // namespace coll_topo::test
