// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/cable_plan.hpp"

#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace coll_topo::acceptance {
namespace {

Fabric read(const std::string& text) {
    auto file = read_topology_text(text, "test.conf");
    if (!file) ADD_FAILURE() << file.error().text();
    return std::move(file->fabric);
}

/// A fabric with the plan for its hosts, or for some of them.
struct Planned {
    explicit Planned(const std::string& text, std::vector<int> only = {}) : fabric(read(text)), graph(fabric) {
        if (only.empty()) {
            only.resize(static_cast<std::size_t>(fabric.hosts.size()));
            std::iota(only.begin(), only.end(), 0);
        }
        hosts = only;
        plan = make_cable_plan(fabric, graph, hosts);
    }

    /// As "n0 -> n1", sorted.
    std::vector<std::string> names(const std::vector<int>& links) const {
        std::vector<std::string> names;
        for (const int link : links) {
            const Link& ends = graph.links()[static_cast<std::size_t>(link)];
            names.push_back(graph.name(ends.from) + " -> " + graph.name(ends.to));
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    Fabric fabric;
    LinkGraph graph;
    std::vector<int> hosts;
    CablePlan plan;
};

const std::string cable = " Bandwidth=10GB/s Latency=1us\n";

/// Networks of all kinds.
const std::map<std::string, std::string> shapes = {
    {"torus", "TorusName=t Dims=4x4 Nodes=n[00-15]" + cable},
    {"odd torus", "TorusName=t Dims=5x3 Nodes=n[00-14]" + cable},
    {"mesh", "TorusName=t Dims=4x3x2 Wrap=nnn Nodes=n[00-23]" + cable},
    {"rings of two", "TorusName=t Dims=2x2x2 Nodes=n[0-7]" + cable},
    {"torus with narrow hosts", "TorusName=t Dims=4x4 Nodes=n[00-15]" + cable + "HostLink Bandwidth=10GB/s\n"},
    {"torus with wide hosts", "TorusName=t Dims=4x4 Nodes=n[00-15]" + cable + "HostLink Bandwidth=40GB/s\n"},
    {"torus with other speeds", "TorusName=t Dims=6x4 Nodes=n[00-23] Bandwidth=10GB/s,4GB/s Latency=1us,2us\n"},
    {"no bandwidth", "SwitchName=a Nodes=n[0-3]\nSwitchName=b Nodes=n[4-7]\nSwitchName=top Switches=a,b\n"},
    {"tree",
     "SwitchName=leaf1 Nodes=n[0-3]\nSwitchName=leaf2 Nodes=n[4-7]\nSwitchName=leaf3 Nodes=n[8-11]\n"
     "Link From=leaf[1-3] To=spine[1-4]" +
         cable},
    {"tree with thin top",
     "SwitchName=leaf1 Nodes=n[0-3]\nSwitchName=leaf2 Nodes=n[4-7]\n"
     "Link From=leaf[1-2] To=spine[1-2]" +
         cable},
    {"tree with thick top",
     "SwitchName=leaf1 Nodes=n[0-3]\nSwitchName=leaf2 Nodes=n[4-7]\n"
     "SwitchName=leaf3 Nodes=n[8-11]\nLink From=leaf[1-3] To=spine[1-2] Bandwidth=20GB/s "
     "Latency=1us\nHostLink Bandwidth=10GB/s\n"},
    {"parallel cables",
     "SwitchName=leaf1 Nodes=n[0-3]\nSwitchName=leaf2 Nodes=n[4-7]\n"
     "Link From=leaf[1-2] To=spine[1-2] Count=2" +
         cable},
    {"leaves of one host",
     "SwitchName=leaf1 Nodes=n0\nSwitchName=leaf2 Nodes=n1\nSwitchName=leaf3 Nodes=n2\n"
     "Link From=leaf[1-3] To=spine" +
         cable},
    {"one leaf", "SwitchName=leaf1 Nodes=n[0-4]\nHostLink" + cable},
};

bool carries_messages(const Planned& planned, int link) {
    LinkGraph graph(planned.fabric);
    for (const int from : planned.hosts) {
        for (const int to : planned.hosts) {
            std::vector<int> links;
            if (from == to || !graph.route(from, to, links)) continue;
            if (std::count(links.begin(), links.end(), link) > 0) return true;
        }
    }
    return false;
}

class AllShapes : public ::testing::TestWithParam<std::string> {
protected:
    Planned planned_{shapes.at(GetParam())};
};

INSTANTIATE_TEST_SUITE_P(CablePlan, AllShapes, ::testing::ValuesIn([] {
                             std::vector<std::string> names;
                             for (const auto& [name, text] : shapes) names.push_back(name);
                             return names;
                         }()),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), ' ', '_');
                             return name;
                         });

TEST_P(AllShapes, EveryLinkThatMessagesTakeIsTested) {
    const std::set<int> untested(planned_.plan.untested.begin(), planned_.plan.untested.end());
    for (int link = 0; link < static_cast<int>(planned_.graph.links().size()); ++link) {
        EXPECT_EQ(carries_messages(planned_, link), !untested.contains(link)) << planned_.names({link})[0];
    }
}

TEST_P(AllShapes, MessagesOfATestTakeItsLinksByTheirRoutes) {
    for (const CableTest& test : planned_.plan.tests) {
        ASSERT_FALSE(test.links.empty());
        for (const Message& message : test.messages) {
            std::vector<int> route;
            ASSERT_TRUE(planned_.graph.route(message.from, message.to, route));
            EXPECT_EQ(route, message.links);
            for (const int link : test.links) EXPECT_EQ(1, std::count(route.begin(), route.end(), link));
        }
    }
}

TEST_P(AllShapes, TestsAreAsFastAsTheirLinksUnlessThePlanSaysSo) {
    const LinkCapacities capacities(planned_.graph);
    std::vector<double> most(planned_.graph.links().size(), 0);
    for (const CableTest& test : planned_.plan.tests) {
        double sum = 0;
        for (const Message& message : test.messages) sum += message.rate;
        EXPECT_DOUBLE_EQ(test.bandwidth, sum);
        for (const int link : test.links) {
            EXPECT_LE(sum, capacities.of_link[static_cast<std::size_t>(link)] * 1.000001);
            most[static_cast<std::size_t>(link)] = std::max(most[static_cast<std::size_t>(link)], sum);
        }
    }
    std::vector<int> weak;
    for (std::size_t link = 0; link < most.size(); ++link) {
        if (most[link] > 0 && most[link] < capacities.of_link[link] * 0.999999) weak.push_back(static_cast<int>(link));
    }
    EXPECT_EQ(weak, planned_.plan.not_filled);
}

TEST_P(AllShapes, TestsOfARoundAloneShareNeitherCableNorHost) {
    std::vector<int> seen;
    for (const Round& round : planned_.plan.alone) {
        std::set<int> hosts, cables;  // of other tests
        for (const int index : round) {
            seen.push_back(index);
            std::set<int> own_hosts, own_cables;
            for (const Message& message : planned_.plan.tests[static_cast<std::size_t>(index)].messages) {
                own_hosts.insert({message.from, message.to});
                for (const int link : message.links) own_cables.insert(std::min(link, planned_.graph.opposite(link)));
            }
            for (const int host : own_hosts) EXPECT_TRUE(hosts.insert(host).second);
            for (const int own : own_cables) EXPECT_TRUE(cables.insert(own).second);
        }
    }
    std::sort(seen.begin(), seen.end());
    std::vector<int> all(planned_.plan.tests.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(all, seen);
}

TEST_P(AllShapes, LatencyIsTestedOfTheSameLinksOneTestForACableAtATime) {
    std::set<int> covered;
    for (const Round& round : planned_.plan.latency) {
        std::set<int> cables;  // of other tests
        for (const int index : round) {
            const LatencyTest& pair = planned_.plan.pairs[static_cast<std::size_t>(index)];
            std::set<int> own;
            for (const Message* message : {&pair.there, &pair.back}) {
                covered.insert(message->links.begin(), message->links.end());
                for (const int link : message->links) own.insert(std::min(link, planned_.graph.opposite(link)));
            }
            for (const int link : own) EXPECT_TRUE(cables.insert(link).second);
        }
    }
    EXPECT_EQ(planned_.graph.links().size(), covered.size() + planned_.plan.untested.size());
}

TEST_P(AllShapes, NoLinkCarriesMoreThanItCanWhileAllAreBusy) {
    const LinkCapacities capacities(planned_.graph);
    std::set<int> seen;
    for (const Round& round : planned_.plan.together) {
        std::vector<double> load(planned_.graph.links().size(), 0);
        EXPECT_EQ(round.size(), std::set<int>(round.begin(), round.end()).size());
        for (const int index : round) {
            seen.insert(index);
            for (const Message& message : planned_.plan.tests[static_cast<std::size_t>(index)].messages) {
                for (const int link : message.links) load[static_cast<std::size_t>(link)] += message.rate;
            }
        }
        for (std::size_t i = 0; i < load.size(); ++i) EXPECT_LE(load[i], capacities.of_link[i] * 1.000001);
    }
    EXPECT_EQ(planned_.plan.tests.size(), seen.size());
}

TEST(CablePlan, ATorusTakesTwoRoundsForADirectionAndAllItsLinksAreBusyAtOnce) {
    for (const char* dims : {"4x4 Nodes=n[000-015]", "8x6 Nodes=n[000-047]", "16x16 Nodes=n[000-255]"}) {
        const Planned planned("TorusName=t Dims=" + std::string(dims) + cable);
        EXPECT_EQ(8u, planned.plan.alone.size()) << dims;
        EXPECT_EQ(4u, planned.plan.latency.size()) << dims;
        EXPECT_EQ(1u, planned.plan.together.size()) << dims;
        EXPECT_EQ(planned.graph.links().size(), planned.plan.together[0].size()) << dims;
    }
}

TEST(CablePlan, RoundsOfATreeDoNotGrowWithItsHosts) {
    const auto rounds = [](int leaves) {
        std::string text;
        for (int leaf = 0; leaf < leaves; ++leaf) {
            text += "SwitchName=leaf" + std::to_string(leaf) + " Nodes=n[" + std::to_string(1000 + 8 * leaf) + "-" +
                    std::to_string(1007 + 8 * leaf) + "]\n";
        }
        const Planned planned(text + "Link From=leaf[0-" + std::to_string(leaves - 1) + "] To=spine[0-7]" + cable);
        EXPECT_TRUE(planned.plan.untested.empty() && planned.plan.not_filled.empty());
        return planned.plan.alone.size();
    };
    EXPECT_LE(rounds(64), rounds(8) + 2);
    EXPECT_LE(rounds(64), 16u);
}

TEST(CablePlan, AThickCableIsFilledByAsManyHostsAsItTakes) {
    const Planned planned(shapes.at("tree with thick top"));
    EXPECT_TRUE(planned.plan.not_filled.empty());
    const auto between_switches = [&](const CableTest& test) {
        const Link& link = planned.graph.links()[static_cast<std::size_t>(test.links.front())];
        return link.from >= planned.graph.hosts() && link.to >= planned.graph.hosts();
    };
    int seen = 0;
    for (const CableTest& test : planned.plan.tests) {
        if (!between_switches(test)) continue;
        ++seen;
        EXPECT_EQ(2u, test.messages.size());
        EXPECT_NE(test.messages[0].from, test.messages[1].from);
    }
    EXPECT_EQ(12, seen);
}

TEST(CablePlan, CablesThatNoHostsOfTheJobUseAreNamed) {
    const Planned planned("TorusName=t Dims=4 Wrap=n Nodes=n[0-3]" + cable, {0, 1, 3});
    EXPECT_TRUE(planned.plan.untested.empty());  // n1 and n3 talk past n2
    const Planned left("TorusName=t Dims=4 Wrap=n Nodes=n[0-3]" + cable, {0, 1});
    EXPECT_EQ((std::vector<std::string>{"n1 -> n2", "n2 -> n1", "n2 -> n3", "n3 -> n2"}),
              left.names(left.plan.untested));
}

TEST(CablePlan, WhichTestsAreSlowTellsTheLink) {
    // The messages for the way up from a leaf go to another leaf than those for its way down come from.
    const Planned planned(shapes.at("tree"));
    std::map<std::vector<int>, int> link_of_tests;
    for (int link = 0; link < static_cast<int>(planned.graph.links().size()); ++link) {
        std::vector<int> tests;
        for (std::size_t test = 0; test < planned.plan.tests.size(); ++test) {
            const auto& links = planned.plan.tests[test].messages.front().links;
            if (std::count(links.begin(), links.end(), link) > 0) tests.push_back(static_cast<int>(test));
        }
        const auto [other, is_new] = link_of_tests.emplace(tests, link);
        EXPECT_TRUE(is_new) << planned.names({link})[0] << " and " << planned.names({other->second})[0];
    }
}

TEST(CablePlan, TimeIsThatOfTheSlowestTestOfEachRound) {
    const Planned planned(shapes.at("torus with other speeds"));
    const LinkCapacities capacities(planned.graph);
    const Effort alone = bandwidth_effort(planned.plan, planned.plan.alone, planned.fabric, planned.graph, capacities);
    ASSERT_TRUE(alone.seconds);
    const double most_bytes = 64 << 20;  // of a transfer
    EXPECT_NEAR(*alone.seconds, 4 * transfers * (most_bytes / 10e9 + most_bytes / 4e9), 2e-3);
    EXPECT_EQ(alone.tests, 2 * 2 * 24);
    EXPECT_EQ(alone.messages, transfers * 2 * 2 * 24);

    const Planned unknown(shapes.at("no bandwidth"));
    EXPECT_FALSE(
        bandwidth_effort(unknown.plan, unknown.plan.alone, unknown.fabric, unknown.graph, LinkCapacities(unknown.graph))
            .seconds);
}

}  // namespace
}  // namespace coll_topo::acceptance
