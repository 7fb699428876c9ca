// SPDX-License-Identifier: BSD-3-Clause
// Whatever bytes a topology file holds, reading it ends with a fabric in good order or with an error that has a line.
#include "coll_topo/input/topology_file.hpp"
#include "test/input/fabric_order.hpp"
#include "test/input/topology_test_files.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace coll_topo {
namespace {

/// What is wrong with the outcome of reading, or nothing.
std::string complaint(const Expected<TopologyFile>& file) {
    if (!file) {
        if (file.error().message.empty()) return "error without a message";
        if (file.error().where.line < 1) return "error without a line: " + file.error().text();
        return {};
    }
    return disorder(file->fabric);
}

TEST(TopologyMutation, AnyBytesAreAFabricOrAnErrorWithALine) {
    const bool passed = rc::check(
        "any bytes", [](const std::string& text) { RC_ASSERT(complaint(read_topology_text(text, "t.conf")) == ""); });
    EXPECT_TRUE(passed);
}

TEST(TopologyMutation, AnyWordsOfTheGrammarAreAFabricOrAnErrorWithALine) {
    const std::vector<std::string> words = {"SwitchName=",
                                            "TorusName=",
                                            "NodeName=",
                                            "Link ",
                                            "HostLink ",
                                            "Machine MessageTime=2us ",
                                            "Include ",
                                            "Route ",
                                            "LatinSquareName=",
                                            "FullMeshName=",
                                            " Order=",
                                            " Ports=",
                                            " HostsPerLeaf=",
                                            " At=",
                                            " Via=",
                                            " Cable=",
                                            "[1-7]",
                                            "6",
                                            "2",
                                            " Nodes=",
                                            " Switches=",
                                            " Dims=",
                                            " Wrap=",
                                            " Coord=",
                                            " From=",
                                            " To=",
                                            " Count=",
                                            " Bandwidth=",
                                            " Latency=",
                                            " Tie=",
                                            "\n",
                                            "a",
                                            "b",
                                            "[1-3]",
                                            ",",
                                            "2x2",
                                            "1GB/s",
                                            "1us",
                                            "parity",
                                            "yn",
                                            "0,1",
                                            "\\\n",
                                            "#",
                                            "\"",
                                            "4"};
    const bool passed = rc::check("any words", [&words] {
        std::string text;
        for (const auto& word : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(words))) text += word;
        RC_ASSERT(complaint(read_topology_text(text, "t.conf")) == "");
    });
    EXPECT_TRUE(passed);
}

std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Changes a few places: other bytes, bytes left out, pieces doubled, digits grown.
std::string mutated(std::string text, std::mt19937& random) {
    constexpr std::string_view bytes = "[]-,=\\\"# \nx019yN\x01\xff";
    const auto below = [&random](std::size_t bound) { return random() % bound; };
    for (std::size_t changes = 1 + below(4); changes > 0 && !text.empty(); --changes) {
        const std::size_t place = below(text.size());
        const std::size_t size = 1 + below(12);
        switch (below(5)) {
            case 0:
                text[place] = bytes[below(bytes.size())];
                break;
            case 1:
                text.insert(place, 1, bytes[below(bytes.size())]);
                break;
            case 2:
                text.erase(place, size);
                break;
            case 3:
                text.insert(below(text.size()), text.substr(place, size));
                break;
            default:
                text.insert(place, "9999999999999999999999", size);
                break;
        }
    }
    return text;
}

TEST(TopologyMutation, MutatedFilesAreAFabricOrAnErrorWithALine) {
    std::mt19937 random(20240229);
    int errors = 0;
    int fabrics = 0;
    for (const char* name : {"torus.conf", "coordinates.conf", "slurm-tree.conf", "leaf-spine.conf", "routes.conf",
                             "latin-square.conf", "full-mesh.conf"}) {
        const std::string path = source_path(std::string("test/data/topology/") + name);
        const std::string text = content(path);
        ASSERT_FALSE(text.empty()) << path;
        for (int round = 0; round < 1000; ++round) {
            const std::string changed = mutated(text, random);
            const auto file = read_topology_text(changed, path);
            ++(file ? fabrics : errors);
            ASSERT_EQ("", complaint(file)) << changed;
        }
    }
    EXPECT_GT(errors, 1000);  // the mutations bite,
    EXPECT_GT(fabrics, 100);  // but do not wreck everything
}

}  // namespace
}  // namespace coll_topo
