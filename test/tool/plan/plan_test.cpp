// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/network_family.hpp"
#include "coll_topo/tool/plan/plan_json.hpp"
#include "coll_topo/tool/plan/plan_text.hpp"

#include "coll_topo/tool/output/json_writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace coll_topo::tool {
namespace {

using Json = nlohmann::ordered_json;

Scenario scenario_of(const std::string& family, ScenarioOptions options) {
    auto members = make_family(family);
    auto scenario = make_scenario(std::move(members->at(0).file), options);
    EXPECT_TRUE(scenario) << scenario.error().text();
    return std::move(*scenario);
}

ScenarioOptions options_of(std::string collective, std::string algorithm, std::string bytes) {
    ScenarioOptions options;
    options.collective = std::move(collective);
    options.algorithm = std::move(algorithm);
    options.bytes = std::move(bytes);
    options.lanes = 1;
    return options;
}

std::string error_of(ScenarioOptions options) {
    options.file = "test.conf";
    auto members = make_family("torus 4x4");
    const auto scenario = make_scenario(std::move(members->at(0).file), options);
    return scenario ? "" : scenario.error().text();
}

TEST(PlanText, ReadsLikeProse) {
    const Scenario scenario = scenario_of("torus 2x2", options_of("allreduce", "halving_doubling", "64KiB"));
    const Candidate candidate = choose(scenario).value();
    LinkGraph network(scenario.fabric);
    std::ostringstream out;
    write_plan_text(out, scenario, candidate, build_schedule(scenario, candidate), network, {1}, false);
    const std::string text = out.str();
    EXPECT_EQ(0u, text.find("allreduce of 64 KiB on 2x2 hosts, 1 rank each: halving_doubling, 1 lane, 1 aggregator per "
                            "host.\nThe data are cut into 4 blocks of 16 KiB; predicted time "));
    EXPECT_NE(
        std::string::npos,
        text.find("\nRank 1 on n1\n"
                  "  Step 1 of 4 (x, distance 1): send blocks 0-1 of output to rank 0 (n0, 1 hop); receive blocks "
                  "2-3\n      of output from rank 0 (n0) and fold them in on the left.\n"
                  "  Step 2 of 4 (y, distance 1): "));
    EXPECT_NE(
        std::string::npos,
        text.find("  Step 4 of 4 (x, distance 1): send blocks 2-3 of output to rank 0 (n0, 1 hop); receive blocks 0-1\n"
                  "      of output from rank 0 (n0).\n"));
    EXPECT_EQ(std::string::npos, text.find("--all")) << "nothing is left out";
}

TEST(PlanText, IsShortUnlessAllIsAskedFor) {
    ScenarioOptions options = options_of("bcast", "pipelined_chain", "1MiB");
    options.segments = 100;
    for (const auto& [algorithm, part] : {std::pair("pipelined_chain", "Step 100 of "), {"linear", "rank 63 (n63, "}}) {
        options.algorithm = algorithm;
        if (options.algorithm == "linear") options.segments = 0;
        const Scenario scenario = scenario_of("torus 8x8", options);
        const Candidate candidate = choose(scenario).value();
        LinkGraph network(scenario.fabric);
        std::ostringstream brief, whole;
        const Schedule schedule = build_schedule(scenario, candidate);
        write_plan_text(brief, scenario, candidate, schedule, network, {0}, false);
        write_plan_text(whole, scenario, candidate, schedule, network, {0}, true);
        EXPECT_LT(std::ranges::count(brief.str(), '\n'), 30) << algorithm;
        EXPECT_NE(std::string::npos, brief.str().find("\nNot all of it is shown; --all shows it.\n")) << algorithm;
        EXPECT_EQ(std::string::npos, brief.str().find(part)) << algorithm;
        EXPECT_NE(std::string::npos, whole.str().find(part)) << whole.str();
        EXPECT_EQ(std::string::npos, whole.str().find("Not all")) << algorithm;
    }
}

TEST(PlanText, SaysWhatStaysOnTheHost) {
    ScenarioOptions options = options_of("bcast", "binomial", "8");
    options.ranks_per_host = 2;
    const Scenario scenario = scenario_of("mesh 2", options);
    const Candidate candidate = choose(scenario).value();
    LinkGraph network(scenario.fabric);
    std::ostringstream out;
    write_plan_text(out, scenario, candidate, build_schedule(scenario, candidate), network, {0, 1}, true);
    EXPECT_NE(std::string::npos, out.str().find("Rank 0 is the root.\n"));
    EXPECT_NE(std::string::npos, out.str().find("(same host)"));
}

TEST(PlanJson, HoldsTheWholeSchedule) {
    const Scenario scenario = scenario_of("torus 2x2", options_of("allreduce", "halving_doubling", "64KiB"));
    const Candidate candidate = choose(scenario).value();
    const Schedule schedule = build_schedule(scenario, candidate);
    LinkGraph network(scenario.fabric);
    std::ostringstream out;
    write_plan_json(out, scenario, candidate, schedule, network, {0, 1, 2, 3}, true);
    const Json plan = Json::parse(out.str());
    EXPECT_EQ("halving_doubling", plan["algorithm"]);
    EXPECT_EQ(65536, plan["bytes"]);
    EXPECT_EQ(4, plan["blocks"]);
    EXPECT_EQ(Json({{"rank", 3}, {"host", "n3"}}), plan["ranks"][3]);
    EXPECT_EQ(network.links().size(), plan["links"].size());
    EXPECT_EQ(8u, plan["routes"].size()) << "each host sends to two others";
    std::size_t actions = 0;
    for (const Json& program : plan["programs"]) {
        for (const Json& step : program["lanes"][0]["steps"]) actions += step.size();
    }
    std::size_t expected = 0;
    for (const Program& program : schedule) expected += program.actions.size();
    EXPECT_EQ(expected, actions);
    const Json send = {{"send", 0}, {"buffer", "output"}, {"first", 0}, {"count", 2}};
    const Json fold = {{"recv", 0},  {"buffer", "output"}, {"first", 2},
                       {"count", 2}, {"reduce", true},     {"operand", "left"}};
    const Json& step = plan["programs"][1]["lanes"][0]["steps"][0];
    EXPECT_TRUE((step[0] == send && step[1] == fold) || (step[0] == fold && step[1] == send)) << step;
}

TEST(Scenario, SaysWhatIsWrong) {
    ScenarioOptions options;
    options.hosts = "n[0-1],x";
    EXPECT_EQ("--hosts: test.conf has no host 'x'; it has 16 hosts, n0 to n15", error_of(options));
    EXPECT_EQ(
        "no collective 'everything'; there are: allreduce, reduce_scatter, reduce_scatter_block, allgather, bcast, "
        "reduce, alltoall, gather, scatter, scan, exscan, neighbor_allgather or neighbor_alltoall",
        error_of(options_of("everything", "", "8")));
    EXPECT_EQ(
        "neighbor_alltoallw runs a schedule of neighbor_alltoall with pieces of its own sizes, see coll-topo explain; "
        "use --collective neighbor_alltoall",
        error_of(options_of("neighbor_alltoallw", "", "8")));
    EXPECT_EQ(0u, error_of(options_of("bcast", "rng", "8")).find("no algorithm 'rng' for bcast; there are: "));
    EXPECT_EQ(0u, error_of(options_of("bcast", "", "8 MiB")).find("--bytes: "));
    options = {};
    options.root = 16;
    EXPECT_EQ("--root must be a rank, 0 to 15, not 16", error_of(options));
    options = {};
    options.lanes = 17;
    EXPECT_EQ("--lanes must be from 1 to 16, or 0 to choose, not 17", error_of(options));
    options = {};
    options.aggregators = 2;
    EXPECT_EQ("--aggregators must be from 1 to 1, or 0 to choose, not 2", error_of(options));
    EXPECT_EQ("", error_of({}));
}

TEST(Scenario, ChoosesAsTheComponentDoes) {
    // 3 MiB is in the class of 2 MiB.
    ScenarioOptions options;
    options.bytes = "3MiB";
    const Scenario scenario = scenario_of("torus 4x4", options);
    Request typical = scenario.request;
    typical.bytes = 2 << 20;
    const Decision component = decide(scenario.grid, typical, scenario.preferences);
    const Decision decision = examine(scenario);
    EXPECT_EQ(component.chosen, decision.chosen);
    EXPECT_GT(decision.candidates[decision.chosen].seconds, component.candidates[component.chosen].seconds);
}

TEST(Scenario, HostsOfEqualLeavesMakeAGrid) {
    const Scenario scenario = scenario_of("tree 2x1x3", options_of("bcast", "binomial", "8"));
    ASSERT_EQ(2u, scenario.grid.axes().size());
    EXPECT_EQ(3, scenario.grid.axes()[0].size);
    EXPECT_EQ(2, scenario.grid.axes()[1].size);
    EXPECT_TRUE(scenario.notes.empty());
    EXPECT_TRUE(choose(scenario));
}

TEST(Scenario, UnknownBandwidthsAreAssumedAndSaid) {
    auto file =
        read_topology_text("SwitchName=a Nodes=n0\nSwitchName=b Nodes=n1\nSwitchName=t Switches=a,b\n", "t.conf");
    ScenarioOptions options = options_of("bcast", "binomial", "8");
    options.file = "t.conf";
    const auto scenario = make_scenario(std::move(*file), options);
    ASSERT_TRUE(scenario);
    ASSERT_EQ(1u, scenario->notes.size());
    EXPECT_EQ("t.conf does not give the bandwidth of all links; 100 Gbit/s is assumed for the others",
              scenario->notes[0]);
    const LinkGraph network(scenario->fabric);
    for (const Link& link : network.links()) EXPECT_EQ(12.5e9, link.bandwidth);
}

}  // namespace
}  // namespace coll_topo::tool
