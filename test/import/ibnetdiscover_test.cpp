// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/ibnetdiscover.hpp"

#include "coll_topo/import/link_speed.hpp"
#include "test/import/import_fixture.hpp"
#include "test/import/sample_network.hpp"

namespace coll_topo::importing {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(std::string::npos, at) << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

std::string line_of(const std::string& text, const std::string& what) {
    return std::to_string(1 +
                          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(what)), '\n'));
}

TEST(LinkSpeed, IsThatOfDataInOneDirection) {
    EXPECT_DOUBLE_EQ(1e9, link_speed("4xSDR"));
    EXPECT_DOUBLE_EQ(4e9, link_speed("4xQDR"));
    EXPECT_DOUBLE_EQ(5e9, link_speed("4xFDR10"));
    EXPECT_NEAR(6.818e9, link_speed("4xFDR"), 1e6);
    EXPECT_DOUBLE_EQ(12.5e9, link_speed("4xEDR"));
    EXPECT_DOUBLE_EQ(12.5e9, link_speed("2xHDR"));
    EXPECT_DOUBLE_EQ(50e9, link_speed("4xNDR"));
    EXPECT_DOUBLE_EQ(100e9, link_speed("4xXDR"));
    for (const char* const unknown : {"", "4x", "4x???", "5xHDR", "HDR", "??HDR"})
        EXPECT_EQ(0, link_speed(unknown)) << unknown;
}

TEST(Ibnetdiscover, BothFormsSayTheSame) {
    for (const auto& network : {fat_tree_2_levels(), fat_tree_3_levels(), fat_tree_of_rails(), latin_square_3()}) {
        const auto blocks = import_text(ibnetdiscover_text(network));
        const auto lines = import_text(ibnetdiscover_ports_text(network));
        ASSERT_TRUE(blocks && lines);
        EXPECT_EQ(blocks->fabric.digest(), lines->fabric.digest());
    }
}

TEST(Ibnetdiscover, OtherFormsOfLinesAreRead) {
    const std::string text = ibnetdiscover_text(fat_tree_2_levels());
    const auto plain = import_text(text);
    ASSERT_TRUE(plain);
    // --full, --grouping, and a description with quotation marks in it.
    std::string other = replaced(text, "[1]\t\"S-", "[1][ext 1]\t\"S-");
    other = replaced(other, "lid 1000 4xEDR", "lid 1000 4xEDR s=32 w=2 v=4");
    other = replaced(other, "\nvendid", "\nChassis 1 (guid 0x2c9)\n\n# Spine Nodes\nvendid");
    other = replaced(other, "# \"spine1\" enhanced", "# \"spine \"one\"\" enhanced");
    const auto read = import_text(other);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(plain->fabric.summary(), read->fabric.summary());
    EXPECT_GE(std::get<SwitchGraph>(read->fabric.network).switches.find("spine-one"), 0);
    std::string dos;
    for (const char letter : text) dos += letter == '\n' ? std::string("\r\n") : std::string(1, letter);
    EXPECT_EQ(plain->fabric.digest(), import_text("\xef\xbb\xbf" + dos)->fabric.digest());
}

TEST(Ibnetdiscover, TruncatedOutputIsRefusedWithTheLine) {
    const std::string text = ibnetdiscover_text(fat_tree_2_levels());
    const std::size_t last_block = text.rfind("\nvendid");
    const std::string at_block = text.substr(0, last_block + 1);
    EXPECT_EQ("source:" + line_of(text, "n072 HCA-1") +
                  ": 'H-0002c90300100470' is named here, but not described; the output is not complete",
              outcome(at_block));
    int refused = 0;
    for (std::size_t size = text.size() - 2; size > text.size() - 400; size -= 7) {
        const std::string message = outcome(text.substr(0, size));
        refused += message.find("source:") == 0 ? 1 : 0;
    }
    EXPECT_GT(refused, 40);
}

TEST(Ibnetdiscover, WhatIsGivenTwiceIsRefusedWithBothLines) {
    const std::string text = ibnetdiscover_text(fat_tree_2_levels());
    const std::string two_hosts = replaced(text, "# \"n002 HCA-1\"\n", "# \"n001 HCA-1\"\n");
    EXPECT_EQ("source:" + line_of(two_hosts, "\"H-0002c90300100010\"\t\t#") +
                  ": two adapters are called 'n001 HCA-1'; the first one is in line " +
                  line_of(two_hosts, "\"H-0002c90300100000\"\t\t#") +
                  "; two hosts of one name?; --names FILE with lines GUID \"HOST HCA-1\" says whose adapters they are",
              outcome(two_hosts));
    const std::string twice = text + text.substr(text.rfind("\nvendid"));
    EXPECT_NE(std::string::npos, outcome(twice).find("is given twice; first in line")) << outcome(twice);
    const std::string port = replaced(text, "\n[2]\t", "\n[1]\t");
    EXPECT_NE(std::string::npos, outcome(port).find("port 1 of 'spine1' is given twice; first in line"))
        << outcome(port);
    const std::string ends = replaced(text, "\n[2]\t\"S-0002c90200410002\"[20]", "\n[2]\t\"S-0002c90200410002\"[19]");
    EXPECT_NE(std::string::npos, outcome(ends).find("port 19 of 'MF0;leaf1:MSB7700/U1' has two cables"))
        << outcome(ends);
}

TEST(Ibnetdiscover, ACableSeenFromOneEndCountsWithANote) {
    std::string text = ibnetdiscover_text(fat_tree_2_levels());
    const std::size_t line = text.find("\n[2]\t");
    text.erase(line, text.find('\n', line + 1) - line);
    const auto read = import_text(text);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_NE(std::string::npos, notes_of(*read).find("1 cable is seen from one end only")) << notes_of(*read);
    EXPECT_EQ(import_text(ibnetdiscover_text(fat_tree_2_levels()))->fabric.digest(), read->fabric.digest());
}

TEST(Ibnetdiscover, AnUnknownSpeedIsThatOfTheOthers) {
    std::string text = ibnetdiscover_text(fat_tree_2_levels());
    for (std::size_t at = 0; (at = text.find("lid 1 4xEDR", at)) != std::string::npos; ++at)
        text.replace(at, 11, "lid 1 4x???");
    for (std::size_t at = 0; (at = text.find("lid 3 4xEDR", at)) != std::string::npos; ++at)
        text.replace(at, 11, "lid 3 4x???");
    const auto read = import_text(text);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_NE(std::string::npos, notes_of(*read).find("the speed of")) << notes_of(*read);
    EXPECT_EQ(import_text(ibnetdiscover_text(fat_tree_2_levels()))->fabric.digest(), read->fabric.digest());
}

TEST(Ibnetdiscover, AdaptersWithoutTheirHostsNameNeedAMap) {
    const std::string text = replaced(ibnetdiscover_text(fat_tree_2_levels()), "# \"n001 HCA-1\"\n",
                                      "# \"MT4119 ConnectX5   Mellanox Technologies\"\n");
    EXPECT_NE(std::string::npos, outcome(text).find("names no host; --names FILE")) << outcome(text);
    const std::string blank = replaced(ibnetdiscover_text(fat_tree_2_levels()), "# \"n001 HCA-1\"\n", "# \" \"\n");
    EXPECT_NE(std::string::npos, outcome(blank).find("names no host; --names FILE")) << outcome(blank);
    ImportSettings by_guid;
    by_guid.naming.by_guid = true;
    const auto unnamed = import_text(text, by_guid);
    ASSERT_TRUE(unnamed) << unnamed.error().text();
    EXPECT_EQ(72, unnamed->fabric.hosts.size());
    EXPECT_EQ(0U, host_address_lines(unnamed->fabric.hosts, unnamed->addresses)
                      .find("HostAddress Node=guid-2c90300100000 Address=0002c90300100000"));
    ImportSettings settings;
    ASSERT_TRUE(read_name_map("# ours\n0x0002c90300100000 \"first HCA-1\"\n", "map", settings.naming));
    const auto read = import_text(text, settings);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_GE(read->fabric.hosts.find("first"), 0);
    EXPECT_EQ("map:1:1: a second name for '0x2c90300100000'",
              read_name_map("0x2c90300100000 \"other\"\n", "map", settings.naming).error().text());
    EXPECT_EQ("map:1: expected a GUID or MAC, and a name in quotation marks",
              read_name_map("first HCA-1\n", "map", settings.naming).error().text());
}

TEST(Ibnetdiscover, OtherTextIsRefused) {
    EXPECT_EQ("f:1: the file is empty; has the program failed that should have written it?",
              read_ibnetdiscover("\n \n", "f").error().text());
    EXPECT_EQ("f:1:1: the text is in UTF-16; iconv -f UTF-16 -t UTF-8 converts it",
              read_ibnetdiscover("\xff\xfe#\x01", "f").error().text());
    EXPECT_EQ("f:2: character 0x00; expected plain text",
              read_ibnetdiscover(std::string("a\n\0b", 4), "f").error().text());
    EXPECT_EQ("f:2:1: not a line of ibnetdiscover: 'TorusName=t'",
              read_ibnetdiscover("\nTorusName=t\n", "f").error().text());
    EXPECT_EQ("f:1: a port before the first switch or adapter",
              read_ibnetdiscover("[1]\t\"S-1\"[1]\n", "f").error().text());
    EXPECT_EQ("source:1: there are no hosts",
              outcome("\nswitchguid=0x1(1)\nSwitch\t36 \"S-0000000000000001\"\t\t# \"s\" base port 0 lid 1 lmc 0\n"));
    EXPECT_EQ("f:1: not a line of ibnetdiscover --ports: it begins with neither SW, CA nor RT",
              read_ibnetdiscover_ports("x 1 1 0x1\n", "f").error().text());
    EXPECT_EQ("f:1: expected a GUID: 0x...",
              read_ibnetdiscover_ports("SW 1 1 0xleaf 4x QDR 'a'\n", "f").error().text());
    EXPECT_EQ("f:1:11: expected the GUID of a node, such as \"S-0002c90200410f28\"",
              read_ibnetdiscover("Switch\t36 \"S-leaf\"\t\t# \"s\"\n", "f").error().text());
    EXPECT_EQ("f:1: the line ends before the speed; is the output complete?",
              read_ibnetdiscover_ports("SW 1 1 0x1 4x\n", "f").error().text());
    EXPECT_EQ("f:1: expected the other end, and ( 'NAME' - 'NAME' )",
              read_ibnetdiscover_ports("SW 1 1 0x1 4x QDR - CA 1 1 0x2 ( 'a' - 'b\n", "f").error().text());
}

}  // namespace
}  // namespace coll_topo::importing
