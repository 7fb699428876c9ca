// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/partial_measurement.hpp"

#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace coll_topo::acceptance {
namespace {

constexpr double unknown = 0;

/// Runs rounds first .. last-1 of a plan, in which test i gives 1 + i, or in a later round of the same test more.
CableMeasurement measure(const CablePlan& plan, int first, int last) {
    CableMeasurement measured;
    measured.latency.assign(plan.pairs.size(), unknown);
    measured.alone.assign(plan.tests.size(), unknown);
    measured.together = measured.alone;
    int number = 0;
    const auto run = [&](const std::vector<Round>& rounds, std::vector<double>& results) {
        for (const Round& round : rounds) {
            const int now = number++;
            if (now < first || now >= last) continue;
            for (const int test : round) {
                double& known = results[static_cast<std::size_t>(test)];
                const double found = 1 + test + 0.001 * now;
                known = known == unknown ? found : std::min(known, found);
            }
        }
    };
    run(plan.latency, measured.latency);
    run(plan.alone, measured.alone);
    run(plan.together, measured.together);
    return measured;
}

/// A tree, in whose rounds together some tests are more than once.
CablePlan tree_plan() {
    const auto file = read_topology_text(
        "SwitchName=a Nodes=n[00-05]\nSwitchName=b Nodes=n[06-11]\nSwitchName=c Nodes=n[12-17]\n"
        "Link From=a,b,c To=s[1-3] Bandwidth=1GB/s\n",
        "test.conf");
    LinkGraph graph(file->fabric);
    std::vector<int> hosts(18);
    std::iota(hosts.begin(), hosts.end(), 0);
    return make_cable_plan(file->fabric, graph, hosts);
}

TEST(PartialMeasurement, IsTheSameWhereverItWasInterrupted) {
    const CablePlan plan = tree_plan();
    const int rounds = number_of_rounds(plan);
    ASSERT_GT(rounds, 4);
    const CableMeasurement whole = measure(plan, 0, rounds);
    for (int next = 0; next <= rounds; ++next) {
        const auto all = joined(plan, measure(plan, 0, next), next, measure(plan, next, rounds));
        EXPECT_EQ(all.latency, whole.latency) << next;
        EXPECT_EQ(all.alone, whole.alone) << next;
        EXPECT_EQ(all.together, whole.together) << next;
    }
}

TEST(PartialMeasurement, KeepsWhoWasSilentInEither) {
    const CablePlan plan = tree_plan();
    CableMeasurement first = measure(plan, 0, 2), second = measure(plan, 2, number_of_rounds(plan));
    first.silent = {7};
    second.silent = {3, 7};
    EXPECT_EQ(joined(plan, first, 2, second).silent, (std::vector<int>{3, 7}));
}

}  // namespace
}  // namespace coll_topo::acceptance
