// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/topology_edit.hpp"

#include "coll_topo/input/quantity.hpp"

#include <gtest/gtest.h>
#include <cmath>

namespace coll_topo::tool {
namespace {

std::string edited(std::string_view text, const std::vector<KeyEdit>& edits) {
    const auto result = edit_topology(text, "test.conf", edits);
    return result ? *result : result.error().text();
}

const std::vector<KeyEdit> machine_edits = {{StatementKind::machine, "MessageTime", "2us"},
                                            {StatementKind::machine, "CopyBandwidth", "9GB/s"}};

TEST(TopologyEdit, KeepsEverythingElse) {
    EXPECT_EQ(edited("# the cluster\n"
                     "\tTorusName=t  Dims=2x2 \\  # four hosts\n"
                     "    Nodes=\"n0,n1,n2,n3\"  # all\n"
                     "\n"
                     "Machine CopyBandwidth = 1GB/s MessageTime=1us # old\n",
                     machine_edits),
              "# the cluster\n"
              "\tTorusName=t  Dims=2x2 \\  # four hosts\n"
              "    Nodes=\"n0,n1,n2,n3\"  # all\n"
              "\n"
              "Machine CopyBandwidth = 9GB/s MessageTime=2us # old\n");
}

TEST(TopologyEdit, AddsAKeyAtTheEndOfItsStatement) {
    EXPECT_EQ(edited("TorusName=t Dims=2 \\\n  Nodes=\"a,b\"   # comment\nMachine MessageTime=1us\n",
                     {{StatementKind::torus_name, "Latency", "1us,2us"}, machine_edits[0], machine_edits[1]}),
              "TorusName=t Dims=2 \\\n  Nodes=\"a,b\" Latency=1us,2us   # comment\n"
              "Machine MessageTime=2us CopyBandwidth=9GB/s\n");
}

TEST(TopologyEdit, AddsALineForAStatementThatIsMissing) {
    EXPECT_EQ(edited("TorusName=t Dims=2 Nodes=a,b", machine_edits),
              "TorusName=t Dims=2 Nodes=a,b\nMachine MessageTime=2us CopyBandwidth=9GB/s\n");
    EXPECT_EQ(edited("TorusName=t Dims=2 Nodes=a,b\n", {{StatementKind::link, "Latency", "2us"}}),
              "TorusName=t Dims=2 Nodes=a,b\n");
}

TEST(TopologyEdit, WithoutEditsChangesNothing) {
    const std::string text = "TorusName=t Dims=2 Nodes=a,b # x";
    EXPECT_EQ(edited(text, {}), text);
}

TEST(TopologyEdit, RefusesAValueInTwoLines) {
    EXPECT_EQ(
        edited("TorusName=t Dims=2x1 Nodes=a,b Latency=1us,\\\n2us\n", {{StatementKind::torus_name, "Latency", "3us"}}),
        "test.conf:1:40: cannot replace a value that is continued on the next line, or has a '\\'");
}

TEST(TopologyEdit, RefusesWhatIsNoTopologyFile) {
    EXPECT_EQ(edited("Torus x\n", {}).substr(0, 37), "test.conf:1:1: unknown statement 'Tor");
}

TEST(TopologyEdit, ANewLineIsNotTheRestOfOneThatIsContinued) {
    for (const std::string end : {"\\\n", "\\", "\\ # more\n"}) {
        const std::string text = "TorusName=t Dims=2 Nodes=a,b " + end;
        const auto changed = edit_topology(text, "test.conf", {{StatementKind::machine, "MessageTime", "2us"}});
        ASSERT_TRUE(changed);
        const auto counts = count_statements(*changed, "test.conf");
        ASSERT_TRUE(counts) << *changed;
        EXPECT_EQ(counts->at(StatementKind::machine), 1);
    }
}

TEST(TopologyEdit, CountsStatements) {
    const auto counts = count_statements("SwitchName=a Nodes=x\nSwitchName=b Nodes=y\nLink From=a To=b\n", "test.conf");
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->at(StatementKind::switch_name), 2);
    EXPECT_EQ(counts->at(StatementKind::link), 1);
    EXPECT_FALSE(counts->contains(StatementKind::machine));
}

TEST(TopologyEdit, ValuesAreReadBackWithThreeDigits) {
    for (const double value : {3.14159e-10, 0.99996e-6, 1e-6, 55.5555e-6, 0.123456, 999.4e-6, 7.0, 8200.0}) {
        const std::string text = latency_value(value);
        const auto seconds = parse_latency({text});
        ASSERT_TRUE(seconds) << text;
        EXPECT_NEAR(*seconds, value, 0.005 * value) << text;
        EXPECT_EQ(latency_value(*seconds), text);
    }
    for (const double value : {1.5, 999.7, 3.125e6, 999.96e6, 12.5e9, 87.654e9, 1.234e12, 99999e12}) {
        const std::string text = bandwidth_value(value);
        const auto rate = parse_bandwidth({text});
        ASSERT_TRUE(rate) << text;
        EXPECT_NEAR(*rate, value, 0.005 * value) << text;
        EXPECT_EQ(bandwidth_value(*rate), text);
    }
    EXPECT_EQ(latency_value(0), "0us");
    EXPECT_EQ(latency_value(1e-13), "0us");
}

}  // namespace
}  // namespace coll_topo::tool
