// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/topology_grammar.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo {
namespace {

Expected<Statement> parse(std::string_view line) {
    return parse_statement({line, nullptr}, topology_grammar());
}

std::string message(std::string_view line) {
    const auto statement = parse(line);
    return statement ? "no error" : statement.error().message;
}

TEST(TopologyGrammar, ReadsKeysInAnyOrderAndCase) {
    const auto statement = parse("TORUSNAME=t0 nodes=n[0-3]\tDIMS=2x2");
    ASSERT_TRUE(statement);
    EXPECT_EQ(StatementKind::torus_name, statement->rule->kind);
    EXPECT_EQ("t0", statement->name.text);
    EXPECT_EQ("n[0-3]", statement->value("Nodes").text);
    EXPECT_EQ("2x2", statement->value("Dims").text);
    EXPECT_FALSE(statement->has("Wrap"));
}

TEST(TopologyGrammar, ReadsStatementsWithoutAName) {
    const auto statement = parse("Link From=leaf1 To=spine1");
    ASSERT_TRUE(statement);
    EXPECT_EQ(StatementKind::link, statement->rule->kind);
    EXPECT_EQ("leaf1", statement->value("From").text);
}

TEST(TopologyGrammar, TakesBlanksAroundEqualsAndQuotesAsSlurmDoes) {
    const auto statement = parse("SwitchName = s0  Nodes\t= \"n0,n1\" LinkSpeed=\"1\"");
    ASSERT_TRUE(statement);
    EXPECT_EQ("s0", statement->name.text);
    EXPECT_EQ("n0,n1", statement->value("Nodes").text);
    EXPECT_EQ("1", statement->value("LinkSpeed").text);
}

TEST(TopologyGrammar, SaysWhatIsWrong) {
    const std::pair<const char*, const char*> cases[] = {
        {"SwichName=a Nodes=b", "unknown statement 'SwichName'; did you mean SwitchName?"},
        {"includes x", "unknown statement 'includes'; did you mean Include?"},
        {"DragonflyName=d Groups=3",
         "unknown statement 'DragonflyName'; expected SwitchName, TorusName, NodeName, Link, Route, LatinSquareName, "
         "FullMeshName, HostLink, HostAddress, Machine or Include"},
        {"blockname=b1 Nodes=n[1-4]",
         "BlockName is of Slurm's topology/block; of Slurm's files only those of topology/tree (SwitchName) can be "
         "used"},
        {"BlockSizes=4",
         "BlockSizes is of Slurm's topology/block; of Slurm's files only those of topology/tree (SwitchName) can be "
         "used"},
        {"RingName=r Nodes=n[1-4]",
         "RingName is of Slurm's topology/ring; of Slurm's files only those of topology/tree (SwitchName) can be used"},
        {"Rule Collective=bcast Algorithm=auto", "Rule is of a file of rules, see coll-topo-rules.conf(5)"},
        {"SwitchName=a Nods=b", "SwitchName has no key 'Nods'; did you mean Nodes?"},
        {"SwitchName=a Dims=4", "SwitchName has no key 'Dims'; expected Nodes, Switches or LinkSpeed"},
        {"SwitchName Nodes=b", "SwitchName needs a name: SwitchName=NAME"},
        {"Link=a From=b To=c", "Link takes no value of its own, only keys"},
        {"SwitchName=a Nodes", "Nodes needs a value: Key=Value"},
        {"SwitchName=a Nodes=", "Nodes= has no value"},
        {"SwitchName=a Nodes=\"\"", "Nodes= has no value"},
        {"SwitchName=a Nodes=\"b", "the quote is not closed on this line"},
        {"SwitchName=a Nodes=\"b\"c", "expected a blank after the quote"},
        {"SwitchName=a, b", "SwitchName has no key 'b'; expected Nodes, Switches or LinkSpeed"},
        {"SwitchName=a n[1-2]", "expected Key=Value, found 'n[1-2]'"},
        {"=a", "expected Key=Value, found '=a'"},
        {"TorusName=a", "TorusName needs Dims="},
        {"NodeName=a", "NodeName needs Coord="},
        {"LatinSquareName=l Nodes=n", "LatinSquareName needs Order="},
        {"FullMeshName=m Nodes=n", "FullMeshName needs Ports="},
        {"FullMeshName=m Ports=6 Order=3",
         "FullMeshName has no key 'Order'; expected Ports, HostsPerLeaf, Nodes, Bandwidth or Latency"},
        {"Link From=a", "Link needs To="},
        {"Link To=a", "Link needs From="},
    };
    for (const auto& [line, expected] : cases) EXPECT_EQ(expected, message(line)) << line;
}

TEST(TopologyGrammar, EveryRowIsWellFormed) {
    for (const StatementRule& rule : topology_grammar().statements) {
        std::string line(rule.name);
        if (rule.named) line += "=name";
        for (const KeyRule& key : rule.keys) line += ' ' + std::string(key.name) + "=value";
        const auto statement = parse(line);
        ASSERT_TRUE(statement) << line << ": " << statement.error().text();
        EXPECT_EQ(&rule, statement->rule);
        for (const KeyRule& key : rule.keys) EXPECT_EQ("value", statement->value(key.name).text) << line;
    }
}

}  // namespace
}  // namespace coll_topo
