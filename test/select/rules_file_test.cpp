// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/rules_file.hpp"

#include "coll_topo/select/rule_keys.hpp"
#include "test/input/manual_keys.hpp"
#include "test/input/topology_test_files.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace coll_topo {
namespace {

Rule read_one(const std::string& keys) {
    const auto rules = read_rules_text("Rule " + keys + "\n", "r.conf");
    EXPECT_TRUE(rules) << (rules ? "" : rules.error().text());
    return rules && rules->size() == 1 ? rules->front() : Rule();
}

std::string error_of(const std::string& text) {
    const auto rules = read_rules_text(text, "r.conf");
    return rules ? "no error" : rules.error().text();
}

TEST(RulesFile, ReadsAllKeysInAnyOrderAndCase) {
    const Rule rule = read_one(
        "algorithm=HALVING_doubling SHAPE=4x4 ranksperhost=2 Hosts=2-64 Ranks=16- Bytes=64KiB-1MiB Lanes=4 "
        "Aggregators=2 collective=allreduce");
    EXPECT_EQ(rule.call, Call::allreduce);
    EXPECT_EQ(rule.bytes, (Range{65536, 1048576}));
    EXPECT_EQ(rule.ranks, (Range{16, Range().most}));
    EXPECT_EQ(rule.hosts, (Range{2, 64}));
    EXPECT_EQ(rule.ranks_per_host, (Range{2, 2}));
    EXPECT_EQ(rule.shape, "4x4");
    EXPECT_EQ(rule.choice, Rule::Choice::algorithm);
    EXPECT_EQ(rule.choice_text(), "halving_doubling, 4 lanes, 2 aggregators per host");
    EXPECT_EQ(rule.place(), "r.conf:1");
    EXPECT_EQ(read_one("Collective=bcast Algorithm=pipelined_chain Segments=8").segments, 8);
}

TEST(RulesFile, TheManualPageHasTheKeysOfARule) {
    EXPECT_EQ(test::keys_of_grammar(rules_grammar()),
              test::keys_of_manual_page(source_path("doc/man/coll-topo-rules.conf.5")));
}

TEST(RulesFile, LeavesOpenWhatIsNotGiven) {
    const Rule rule = read_one("Collective=reduce Algorithm=auto");
    EXPECT_EQ(rule.choice, Rule::Choice::by_time);
    for (const Range& range : {rule.bytes, rule.ranks, rule.hosts, rule.ranks_per_host}) EXPECT_EQ(range, Range());
    EXPECT_EQ(rule.shape, "");
    EXPECT_EQ(rule.lanes + rule.segments + rule.aggregators, 0);
}

TEST(RulesFile, ReadsRangesWithOneBound) {
    EXPECT_EQ(read_one("Collective=bcast Algorithm=previous Bytes=-512").bytes, (Range{0, 512}));
    EXPECT_EQ(read_one("Collective=bcast Algorithm=previous Bytes=0").bytes, (Range{0, 0}));
    EXPECT_EQ(read_one("Collective=bcast Algorithm=previous Hosts=-7").hosts, (Range{0, 7}));
    EXPECT_EQ(read_one("Collective=bcast Algorithm=auto Lanes=2 Hosts=3-").lanes, 2);
}

TEST(RulesFile, ReadsShapesWithoutAxesOfOnePlace) {
    EXPECT_EQ(read_one("Collective=bcast Algorithm=auto Shape=4x1x2").shape, "4x2");
    EXPECT_EQ(read_one("Collective=bcast Algorithm=auto Shape=1x1").shape, "1");
}

TEST(RulesFile, KnowsCollectivesWithPiecesOfAnySize) {
    const Rule rule = read_one("Collective=alltoallw Algorithm=pairwise");
    EXPECT_EQ(rule.call, Call::alltoallw);
    EXPECT_EQ(call_name(rule.call), "alltoallw");
    const Rule barrier = read_one("Collective=barrier Algorithm=recursive_doubling");
    EXPECT_EQ(call_name(barrier.call), "barrier");
}

TEST(RulesFile, ReadsCommentsAndContinuedLinesAsOtherFilesDo) {
    const auto rules =
        read_rules_text("# nothing\n\nRule Collective=bcast \\\n  Algorithm=auto # so it is\n", "r.conf");
    ASSERT_TRUE(rules);
    ASSERT_EQ(rules->size(), 1u);
    EXPECT_EQ(rules->front().where.text(), "r.conf:3:1");
    EXPECT_TRUE(read_rules_text("# no rule\n", "r.conf")->empty());
}

TEST(RulesFile, SaysWhatIsWrongAndWhere) {
    const std::pair<const char*, const char*> cases[] = {
        {"Role Collective=bcast", "1:1: unknown statement 'Role'; did you mean Rule?"},
        {"TorusName=t Dims=4", "1:1: TorusName is of a topology file, see coll-topo.conf(5)"},
        {"Rule=r Collective=bcast", "1:1: Rule takes no value of its own, only keys"},
        {"Rule Algorithm=auto", "1:1: Rule needs Collective="},
        {"Rule Collective=bcast", "1:1: Rule needs Algorithm="},
        {"Rule Collective=bcast Bites=8 Algorithm=auto", "1:23: Rule has no key 'Bites'; did you mean Bytes?"},
        {"Rule Collective=bcast Bytes=8 Bytes=9 Algorithm=auto", "1:31: Bytes= is given twice; first at r.conf:1:29"},
        {"Rule Collective=bcst Algorithm=auto", "1:17: unknown collective 'bcst'; did you mean bcast?"},
        {"Rule Collective=everything Algorithm=auto",
         "1:17: unknown collective 'everything'; expected allreduce, reduce_scatter, reduce_scatter_block, allgather, "
         "bcast, reduce, alltoall, gather, scatter, scan, exscan, neighbor_allgather, neighbor_alltoall, allgatherv, "
         "gatherv, scatterv, alltoallv, alltoallw, barrier, neighbor_allgatherv, neighbor_alltoallv or "
         "neighbor_alltoallw"},
        {"Rule Collective=reduce\\\n Algorithm=midle_reduce",
         "2:12: no algorithm 'midle_reduce' for reduce; did you mean middle_reduce?"},
        {"Rule Collective=reduce Algorithm=previus", "1:34: no algorithm 'previus' for reduce; did you mean previous?"},
        {"Rule Collective=alltoallv Algorithm=bruck", "1:37: bruck does not serve alltoallv; expected "},
        {"Rule Collective=bcast Algorithm=swing", "1:33: swing does not serve bcast; expected "},
        {"Rule Collective=alltoallv Bytes=8 Algorithm=auto",
         "1:33: Bytes= has no part in alltoallv: not all ranks know the sizes of all pieces"},
        {"Rule Collective=barrier Bytes=8 Algorithm=auto", "1:31: Bytes= has no part in barrier"},
        {"Rule Collective=bcast Bytes=1MiB-64KiB Algorithm=auto", "1:29: the range '1MiB-64KiB' is empty"},
        {"Rule Collective=bcast Bytes=8-64kb Algorithm=auto",
         "1:33: unknown unit 'kb'; expected B, kB, MB, GB, TB, KiB, MiB, GiB or TiB"},
        {"Rule Collective=bcast Bytes=- Algorithm=auto", "1:29: a range needs a bound: A-B, A- or -B"},
        {"Rule Collective=bcast Ranks=2-4-8 Algorithm=auto", "1:31: expected a whole number for Ranks, found '4-8'"},
        {"Rule Collective=bcast Ranks=0 Algorithm=auto", "1:29: Ranks must be from 1 to 2147483647, not '0'"},
        {"Rule Collective=bcast Hosts=two Algorithm=auto", "1:29: expected a whole number for Hosts, found 'two'"},
        {"Rule Collective=bcast RanksPerHost=4-2 Algorithm=auto", "1:36: the range '4-2' is empty"},
        {"Rule Collective=bcast Shape=4x Algorithm=auto",
         "1:31: expected a whole number for the size of an axis, found ''"},
        {"Rule Collective=bcast Shape=0x4 Algorithm=auto",
         "1:29: the size of an axis must be from 1 to 2147483647, not '0'"},
        {"Rule Collective=allreduce Algorithm=halving_doubling Lanes=17", "1:60: Lanes must be from 1 to 16, not '17'"},
        {"Rule Collective=bcast Algorithm=pipelined_chain Segments=65537",
         "1:58: Segments must be from 1 to 65536, not '65537'"},
        {"Rule Collective=bcast Algorithm=auto Aggregators=0",
         "1:50: Aggregators must be from 1 to 2147483647, not '0'"},
        {"# \n\xc3\xa4", "2:1: byte 0xc3 outside a comment; expected plain ASCII text"},
    };
    for (const auto& [text, message] : cases) {
        EXPECT_EQ(error_of(text).substr(0, std::string("r.conf:").size() + std::string(message).size()),
                  "r.conf:" + std::string(message))
            << text;
    }
}

TEST(RulesFile, ListsTheAlgorithmsThatThereAre) {
    const std::string error = error_of("Rule Collective=bcast Algorithm=something_else");
    EXPECT_NE(error.find("edge_disjoint_trees, "), std::string::npos) << error;
    EXPECT_NE(error.find(", previous or auto"), std::string::npos) << error;
}

TEST(RulesFile, TakesSoManyRulesAndNoMore) {
    std::string text;
    for (int rule = 0; rule < 10000; ++rule) text += "Rule Collective=bcast Algorithm=auto\n";
    EXPECT_EQ(error_of(text), "no error");
    EXPECT_EQ(error_of(text + "Rule Collective=bcast Algorithm=auto\n"), "r.conf:10001:1: more than 10000 rules");
}

TEST(RulesFile, SaysWhyAFileCannotBeRead) {
    const auto rules = read_rules_file("no/such/rules.conf");
    ASSERT_FALSE(rules);
    EXPECT_EQ(rules.error().text(), "no/such/rules.conf: cannot read the file of rules: No such file or directory");
}

std::string content(const std::string& path) {
    const char* const source = std::getenv("srcdir");
    std::ifstream file((source == nullptr ? "." : std::string(source)) + "/" + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RulesFile, ReadsTheExamplesOfTheManualPage) {
    const std::string page = content("doc/man/coll-topo-rules.conf.5");
    const std::string begin = ".Sh EXAMPLES\n.Bd -literal -offset indent\n";
    const std::size_t at = page.find(begin);
    ASSERT_NE(at, std::string::npos);
    const std::string example = page.substr(at + begin.size(), page.find("\n.Ed", at) - at - begin.size());
    const auto rules = read_rules_text(example, "r.conf");
    ASSERT_TRUE(rules) << rules.error().text();
    EXPECT_EQ(rules->size(), 5u);
    const std::vector<Error> remarks = remarks_on(*rules);
    EXPECT_TRUE(remarks.empty()) << remarks.front().text();
}

TEST(RulesFile, AnyWordsOfTheGrammarAreRulesOrAnErrorWithALine) {
    const std::vector<std::string> words = {"Rule ",
                                            "Include ",
                                            " Collective=",
                                            "allreduce",
                                            "bcast",
                                            "alltoallv",
                                            " Algorithm=",
                                            "auto",
                                            "previous",
                                            "ring",
                                            " Bytes=",
                                            "64KiB",
                                            "-",
                                            "8",
                                            " Ranks=",
                                            " Hosts=",
                                            " RanksPerHost=",
                                            " Shape=",
                                            "4x4",
                                            "x",
                                            " Lanes=",
                                            " Segments=",
                                            " Aggregators=",
                                            "\n",
                                            "\\\n",
                                            "#",
                                            "\"",
                                            "0",
                                            "99999999999999999999"};
    int read = 0;
    const bool passed = rc::check("any words", [&] {
        // The last beginning makes much of what follows a comment, so that some files are right.
        std::string text = *rc::gen::element<std::string>("", "Rule Collective=bcast Algorithm=auto",
                                                          "Rule Collective=bcast Algorithm=auto #");
        constexpr int most_words = 20;
        const auto some =
            rc::gen::resize(most_words, rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(words)));
        for (const auto& word : *some) text += word;
        const auto rules = read_rules_text(text, "r.conf");
        if (rules) {
            for (const Rule& rule : *rules) {
                ++read;
                RC_ASSERT(rule.where.line > 0);
                RC_ASSERT(rule.bytes.least <= rule.bytes.most);
                RC_ASSERT((rule.algorithm != nullptr) == (rule.choice == Rule::Choice::algorithm));
            }
        } else {
            RC_ASSERT(!rules.error().message.empty());
            RC_ASSERT(rules.error().where.line > 0);
        }
    });
    EXPECT_TRUE(passed);
    EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace coll_topo
