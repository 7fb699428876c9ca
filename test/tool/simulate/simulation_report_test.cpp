// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/simulate/simulation_report.hpp"
#include "coll_topo/tool/simulate/simulation_drawing.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/verify/hand_written.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace coll_topo::tool {
namespace {

using Json = nlohmann::ordered_json;

using namespace test;

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// Two of three links in a row of four hosts in use for four seconds, one for half of the time; 1 GB/s each.
struct Row {
    Fabric fabric = equal_torus({4}, false);
    LinkGraph network{fabric};
    Simulation simulation;

    Row() {
        simulation.seconds = 4;
        simulation.link_bytes.assign(network.links().size(), 0);
        carry(0, 1, 1000000000);
        carry(1, 2, 2000000000);
    }
    void carry(int from, int to, std::uint64_t bytes) {
        for (std::size_t link = 0; link < network.links().size(); ++link) {
            const Link& one = network.links()[link];
            if (one.from == from && one.to == to) simulation.link_bytes[link] = bytes;
        }
    }
};

TEST(BusiestLinks, ComeInOrderWithoutIdleOnes) {
    const Row row;
    const auto links = busiest_links(row.simulation, row.network, 10);
    ASSERT_EQ(links.size(), 2u);
    EXPECT_EQ(links[0].from + " " + links[0].to, "n1 n2");
    EXPECT_DOUBLE_EQ(links[0].utilisation, 0.5);
    EXPECT_EQ(links[1].bytes, 1000000000u);
    EXPECT_DOUBLE_EQ(links[1].utilisation, 0.25);
    EXPECT_EQ(busiest_links(row.simulation, row.network, 1).size(), 1u);
    EXPECT_TRUE(busiest_links(row.simulation, row.network, 0).empty());
}

simulate::Bound combining(double seconds) {
    return {.combining = seconds};
}

SimulationReport report() {
    const Row row;
    SimulationReport report{Collective::allreduce, "4 hosts", {}, {}};
    const Algorithm* const ring = find_algorithm("ring");
    const Algorithm* const rabenseifner = find_algorithm("rabenseifner");
    report.cases.push_back(
        {1024, {ring, {}, 0.5e-3, ""}, true, 1e-3, combining(0.25e-3), busiest_links(row.simulation, row.network, 2)});
    report.cases.push_back({2048, {ring, {}, 0.5e-3, ""}, false, 2e-3, {.transfer = 0.5e-3}, {}});
    report.cases.push_back({1024, {rabenseifner, {}, 0, "does not want to"}, false, 0, combining(0.25e-3), {}});
    return report;
}

std::string text_of(const SimulationReport& report, Format format, bool all = false) {
    std::ostringstream out;
    report.write(format, all, out);
    return out.str();
}

TEST(SimulationReport, AsCsvIsALineForEachCase) {
    EXPECT_EQ(text_of(report(), Format::csv),
              "algorithm,lanes,aggregators,segments,bytes,seconds,predicted_seconds,bound_seconds,share_of_bound,"
              "limited_by,busiest_from,busiest_to,busiest_bytes,busiest_utilisation,chosen,remark\n"
              "ring,1,1,1,1024,0.001,0.0005,0.00025,0.25,combining,n1,n2,2000000000,0.5,true,\n"
              "ring,1,1,1,2048,0.002,0.0005,0.0005,0.25,cables,,,,,false,\n"
              "rabenseifner,1,1,1,1024,,,0.00025,,combining,,,,,false,does not want to\n");
}

TEST(SimulationReport, AsJsonHasAllLinks) {
    const Json document = Json::parse(text_of(report(), Format::json));
    EXPECT_EQ(document["collective"], "allreduce");
    EXPECT_EQ(document["software_costs"], true);
    ASSERT_EQ(document["cases"].size(), 3u);
    EXPECT_EQ(document["cases"][0]["seconds"], 1e-3);
    EXPECT_EQ(document["cases"][0]["share_of_bound"], 0.25);
    ASSERT_EQ(document["cases"][0]["busiest_links"].size(), 2u);
    EXPECT_EQ(document["cases"][0]["busiest_links"][1],
              Json({{"from", "n0"}, {"to", "n1"}, {"bytes", 1000000000}, {"utilisation", 0.25}}));
    EXPECT_TRUE(document["cases"][2]["seconds"].is_null());
    EXPECT_EQ(document["cases"][2]["refusal"], "does not want to");
}

TEST(SimulationReport, AsTextListsTheLinksOfASingleCase) {
    SimulationReport one = report();
    EXPECT_EQ(count(text_of(one, Format::text), "Busiest links:"), 0u);
    one.cases.resize(1);
    const std::string text = text_of(one, Format::text);
    EXPECT_EQ(count(text, "allreduce on 4 hosts\n"), 1u);
    EXPECT_EQ(count(text, "Busiest links:"), 1u);
    EXPECT_EQ(count(text, "25.0 %"), 2u);  // share of the bound, second link
    EXPECT_EQ(count(text_of(one, Format::text, true), "busiest link"), 1u);
    one.settings = {.software_costs = false, .lockstep = true};
    EXPECT_EQ(count(text_of(one, Format::text), "links only, software costs nothing, steps together"), 1u);
    one.settings = {.sends_at_once = 4};
    EXPECT_EQ(count(text_of(one, Format::text), "allreduce on 4 hosts, at most 4 sends of a lane at once"), 1u);
}

TEST(SimulationReport, AsTextHasTheFastestOfEachSize) {
    EXPECT_EQ(text_of(report(), Format::text),
              "allreduce on 4 hosts\n"
              "\n"
              "bytes  algorithm  lanes  time  predicted   bound  of bound  limited by\n"
              "1 KiB  ring *         1  1 ms     500 us  250 us    25.0 %  combining\n"
              "2 KiB  ring           1  2 ms     500 us  500 us    25.0 %  cables\n"
              "\n"
              "* what the component takes\n"
              "\n"
              "Not simulated: rabenseifner (does not want to)\n");
    SimulationReport many = report();
    const Algorithm* const rabenseifner = find_algorithm("rabenseifner");
    for (int better = 1; better <= 7; ++better) {
        many.cases.push_back(
            {1024, {rabenseifner, {}, 0.5e-3, ""}, false, 1e-3 - better * 1e-6, combining(0.25e-3), {}});
    }
    const std::string text = text_of(many, Format::text);
    EXPECT_EQ(count(text, "rabenseifner "), 5u + 1) << "and the reason of the one that did not run\n" << text;
    EXPECT_EQ(
        count(text, "       ring *            1    1 ms     500 us  250 us    25.0 %  combining   0.7 % slower\n"), 1u)
        << text;
    EXPECT_EQ(count(text, "2 slower ones are not shown; --all shows everything.\n"), 1u) << text;
    EXPECT_EQ(count(text_of(many, Format::text, true), "not shown"), 0u);
}

TEST(SimulationReport, AsTextComparesSharesOfSeveralSizesAndAlgorithmsIfAllIsAskedFor) {
    SimulationReport two = report();
    const Algorithm* const rabenseifner = find_algorithm("rabenseifner");
    two.cases[2] = {1024, {rabenseifner, {}, 0.5e-3, ""}, false, 0.8e-3, combining(0.25e-3), {}};
    EXPECT_EQ(count(text_of(two, Format::text), "Share of the bound"), 0u);
    const std::string text = text_of(two, Format::text, true);
    EXPECT_EQ(count(text, "Share of the bound; * what the component takes:"), 1u);
    EXPECT_EQ(count(text, "25.0 % *"), 1u);  // taken, a quarter slower than the other
    EXPECT_EQ(count(text, "31.2 %"), 2u);
    two.cases.resize(2);
    EXPECT_EQ(count(text_of(two, Format::text, true), "Share of the bound;"), 0u);
}

TEST(SimulationReport, PlotsALineForEachAlgorithmRingsForTheChoiceAndTheBound) {
    const LinePlot times = report().time_plot();
    ASSERT_EQ(times.series.size(), 3u);  // what was refused has no time
    EXPECT_EQ(times.series[0].name, "ring");
    EXPECT_EQ(times.series[0].points.size(), 2u);
    EXPECT_TRUE(times.series[1].rings);
    ASSERT_EQ(times.series[1].points.size(), 1u);
    EXPECT_EQ(times.series[1].points[0].x, 1024);
    EXPECT_EQ(times.series[2].name, "bound");
    EXPECT_EQ(times.series[2].points.size(), 2u);

    const LinePlot shares = report().share_plot();
    ASSERT_EQ(shares.series.size(), 2u);
    EXPECT_EQ(shares.series[0].points[1].y, 25);
    EXPECT_EQ(count(draw(shares), "r=\"7\""), 2u);  // the ring and its sample in the legend
}

TEST(DrawUtilisation, ColoursLinksByHowBusyTheyAre) {
    const Row row;
    const std::string drawing = draw_utilisation(row.simulation, row.fabric, row.network, "title");
    EXPECT_EQ(count(drawing, "25.0 % busy"), 1u);
    EXPECT_EQ(count(drawing, "50.0 % busy"), 1u);
    EXPECT_EQ(count(drawing, "0 B, 0.0 % busy"), 4u);
}

/// A bcast along a chain: rank r has what rank 0 sent after r steps of a second.
Simulation chain_times(const Schedule& schedule) {
    Simulation simulation;
    for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
        auto& steps = simulation.steps.emplace_back(schedule[rank].steps.size());
        for (std::size_t step = 0; step < steps.size(); ++step) {
            steps[step].begin = static_cast<double>(rank + step);
            steps[step].end = steps[step].begin + 1;
            simulation.seconds = std::max(simulation.seconds, steps[step].end);
        }
    }
    return simulation;
}

TEST(Timeline, HasABarForEveryStep) {
    const Schedule schedule = chain_bcast(4, 0, 3);
    std::size_t steps = 0;
    for (const Program& program : schedule) steps += program.steps.size();
    const std::string drawing = draw_timeline(chain_times(schedule), schedule, "chain");
    EXPECT_EQ(count(drawing, "<rect"), steps + 1);  // and the background
    EXPECT_EQ(count(drawing, "<title>rank 2, lane 0, step 1: 3 s to 4 s</title>"), 1u);
}

TEST(Timeline, OfManyRanksHasRowsForSeveral) {
    const Schedule schedule = chain_bcast(1000, 0, 1);
    const std::string drawing = draw_timeline(chain_times(schedule), schedule, "chain");
    EXPECT_EQ(count(drawing, "mean times"), 1u);
    EXPECT_EQ(count(drawing, ">0-3</text>"), 1u);
    EXPECT_EQ(count(drawing, "<title>"), 0u);
}

TEST(Timeline, JoinsStepsTooShortToBeSeen) {
    const Schedule schedule = chain_bcast(2, 0, 5000);
    EXPECT_LT(count(draw_timeline(chain_times(schedule), schedule, "chain"), "<rect"), 1000u);
}

}  // namespace
}  // namespace coll_topo::tool
