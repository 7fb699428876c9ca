// SPDX-License-Identifier: BSD-3-Clause
// Tori and meshes of switches: what is recognised as one, with what an administrator says of it and what it has lost.
#include "coll_topo/import/recognition.hpp"

#include "test/import/import_fixture.hpp"
#include "test/import/sample_network.hpp"

#include <fmt/format.h>

namespace coll_topo::importing {
namespace {

SampleNetwork torus_of(const std::vector<int>& sizes, bool wrapped, int hosts) {
    SampleNetwork network;
    int cells = 1;
    for (const int size : sizes) cells *= size;
    for (int cell = 0; cell < cells; ++cell) {
        network.add_hosts(network.add_switch(fmt::format("s{}", cell)), "n", cell * hosts, hosts, "4xEDR");
    }
    for (int cell = 0, stride = 1; cell < cells; ++cell) {
        stride = 1;
        for (const int size : sizes) {
            const int at = cell / stride % size;
            const bool last = at + 1 == size;
            if (size > 1 && (!last || (wrapped && size > 2))) {
                network.join_switches(cell, cell + (last ? -at : 1) * stride, 1, "4xEDR");
            }
            stride *= size;
        }
    }
    return network;
}

TEST(SwitchTori, FindsToriAndMeshesOfAnyShape) {
    const std::vector<std::vector<int>> shapes = {{3},    {5},          {4, 3},    {3, 3},    {4, 4},
                                                  {5, 3}, {6, 5, 4},    {3, 3, 3}, {4, 4, 4}, {5, 5, 2},
                                                  {8, 8}, {3, 3, 3, 3}, {6, 3, 2}};
    for (const auto& shape : shapes) {
        for (const bool wrapped : {true, false}) {
            for (const int hosts : {1, 3}) {
                const auto network = import_text(ibnetdiscover_text(torus_of(shape, wrapped, hosts)));
                ASSERT_TRUE(network) << network.error().text();
                std::string sizes = hosts > 1 ? std::to_string(hosts) : "";
                std::string wrap = hosts > 1 ? "y" : "";
                std::vector<int> sorted = shape;
                std::sort(sorted.rbegin(), sorted.rend());
                for (const int size : sorted) {
                    sizes += (sizes.empty() ? "" : "x") + std::to_string(size);
                    wrap += wrapped && size > 2 ? 'y' : 'n';
                }
                const std::string summary = as_written(*network).summary();
                EXPECT_EQ(0U, summary.find("torus torus, " + sizes + ", wrapped " + wrap)) << sizes << ": " << summary;
            }
        }
    }
}

TEST(SwitchTori, TheTorusThatIsGivenIsTheOneThatIsFound) {
    const std::string text = ibnetdiscover_text(torus_of({2, 4, 3}, true, 1));
    const auto with = [](const std::string& conf) {
        ImportSettings settings;
        const auto torus = read_torus_conf(conf, "torus-2QoS.conf");
        EXPECT_TRUE(torus) << conf;
        if (torus) settings.torus = *torus;
        return settings;
    };
    EXPECT_EQ("torus torus, 4x3x2, wrapped yyn, 24 hosts", outcome(text));
    EXPECT_EQ("torus torus, 2x4x3, wrapped nyy, 24 hosts", outcome(text, with("# ours\ntorus 2 4 3\n")));
    EXPECT_EQ("torus torus, 3x2x4, wrapped yny, 24 hosts", outcome(text, with("mesh 3T 2 4t\n")));
    EXPECT_EQ("torus-2QoS.conf:1: the switches are no torus or mesh of 4x4x2, wrapped yyy, but of 4x3x2, wrapped yyn",
              outcome(text, with("torus 4 4 2\n")));
}

TEST(SwitchTori, OtherTorusFilesAreRefused) {
    EXPECT_EQ("t:1: no line begins with torus or mesh; expected torus-2QoS.conf of OpenSM",
              read_torus_conf("# ours\n", "t").error().text());
    EXPECT_EQ("t:2: no line begins with torus or mesh; expected torus-2QoS.conf of OpenSM",
              read_torus_conf("\nxp_link 0x1 0x2\n", "t").error().text());
    EXPECT_EQ("t:2: expected three sizes, such as torus 4 4 2: ",
              read_torus_conf("\ntorus 4 4\n", "t").error().text().substr(0, 48));
}

/// The coordinates that switches have by their hosts' names: "n0:0,0 n1:1,0 ".
std::string places_of(const RecognisedNetwork& network, const std::vector<std::string>& hosts) {
    const Fabric& fabric = network.fabric;
    std::string text;
    for (const std::string& host : hosts) {
        const std::int64_t cell = fabric.cell(fabric.hosts.find(host));
        text += host + ":";
        for (std::size_t d = 0; d < fabric.torus()->dimensions().size(); ++d) {
            text += (d > 0 ? "," : "") + std::to_string(fabric.torus()->coordinate(cell, static_cast<int>(d)));
        }
        text += " ";
    }
    return text;
}

/// A torus of 5x5 switches, in which s0, s1 are 0002c90200410000, -1: what comes of it with lines of torus-2QoS.conf.
std::string places_with(const std::string& seeds) {
    ImportSettings settings;
    auto torus = read_torus_conf("torus 5 5 1\n" + seeds, "t");
    if (!torus) return torus.error().text();
    settings.torus = *std::move(torus);
    const auto network = import_text(ibnetdiscover_text(torus_of({5, 5}, true, 1)), settings);
    if (!network) return network.error().text();
    return notes_of(*network) + places_of(*network, {"n000", "n001", "n005"});
}

TEST(SwitchTori, SeedsSayWhereDimensionsLead) {
    const std::string right = " 0x0002c90200410000 0x0002c90200410001\n", up = " 2c90200410000 2c90200410005\n";
    EXPECT_EQ("n000:0,0 n001:1,0 n005:0,1 ", places_with("xp_link" + right + "yp_link" + up));
    EXPECT_EQ("n000:0,0 n001:0,1 n005:1,0 ", places_with("yp_link" + right));
    EXPECT_EQ("n000:0,0 n001:4,0 n005:0,4 ", places_with("xm_link" + right + "ym_link" + up));
    EXPECT_EQ("t:2: switch '0x1' is not in the network: this seed is left out\nn000:0,0 n001:1,0 n005:0,1 ",
              places_with("xp_link 0x1 0x0002c90200410001\nxp_link" + right + "yp_link" + up));
    const std::string refused =
        "t:1: the switches are no torus or mesh of 5x5, wrapped yy in which the seeds lead along their dimensions";
    EXPECT_EQ(refused, places_with("xp_link" + right + "xm_link" + right));
    EXPECT_EQ(refused, places_with("xp_link" + right + "yp_link" + right));
    EXPECT_EQ(refused, places_with("xp_link 2c90200410000 2c90200410006\n")) << "no neighbours";
    EXPECT_EQ("t:2: 'zp_link': this dimension has one switch, so no cable leads along it", places_with("zp_link" + up));
    EXPECT_EQ("t:2: expected the GUIDs of two switches, such as xp_link 0x2000 0x2001", places_with("xp_link 0x1\n"));
}

/// What is left of a torus without one of its switches.
SampleNetwork without_switch(SampleNetwork network, int lost) {
    std::erase_if(network.cables, [&](const auto& cable) {
        return (cable.a.is_switch && cable.a.index == lost) || (cable.b.is_switch && cable.b.index == lost);
    });
    return network;
}

TEST(SwitchTori, ATorusWithoutASwitchHasAnEmptyCellThere) {
    for (const SampleNetwork& network :
         {torus_of({4, 3}, true, 4), torus_of({5, 4, 3}, true, 4), switch_torus(), torus_of({3, 3, 3, 3}, true, 4)}) {
        const auto whole = import_text(ibnetdiscover_text(network));
        const auto read = import_text(ibnetdiscover_text(without_switch(network, 5)));
        ASSERT_TRUE(whole && read);
        ASSERT_TRUE(read->fabric.torus()) << notes_of(*read);
        const Fabric written = as_written(*read);
        const std::string text = topology_text(read->fabric);
        EXPECT_EQ(0U, topology_text(whole->fabric).find(text.substr(0, text.find('\n')))) << text;
        EXPECT_EQ(whole->fabric.hosts.size() - 4, written.hosts.size());
        EXPECT_NE(std::string::npos, notes_of(*read).find("a switch is missing between ")) << notes_of(*read);
    }
}

/// A torus of 4x4x3 switches without some of the cables between them.
RecognisedNetwork torus_without(int cables) {
    SampleNetwork network = torus_of({4, 4, 3}, true, 2);
    for (int i = 0; i < cables; ++i) {
        const auto next = std::find_if(network.cables.begin() + 37 * i, network.cables.end(),
                                       [](const auto& cable) { return cable.a.is_switch && cable.b.is_switch; });
        network.cables.erase(next);
    }
    auto read = import_text(ibnetdiscover_text(network));
    EXPECT_TRUE(read) << (read ? "" : read.error().text());
    return *std::move(read);
}

TEST(SwitchTori, ATorusWithBrokenCablesIsATorusWithANote) {
    const std::string whole = torus_without(0).fabric.summary();
    for (const int cables : {1, 2, 3}) {
        const RecognisedNetwork network = torus_without(cables);
        EXPECT_EQ(whole, as_written(network).summary());
        EXPECT_NE(std::string::npos, notes_of(network).find("no cable is left between s0 and s1")) << notes_of(network);
    }
}

TEST(SwitchTori, ATorusWithManyGapsIsOrderedFromTheMiddleWithANote) {
    const RecognisedNetwork network = torus_without(4);
    EXPECT_NE(std::string::npos, notes_of(network).find("the switches fit no family")) << notes_of(network);
    EXPECT_EQ(96, as_written(network).hosts.size());
}

}  // namespace
}  // namespace coll_topo::importing
