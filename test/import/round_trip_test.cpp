// SPDX-License-Identifier: BSD-3-Clause
// Every sample topology, printed as ibnetdiscover would print it with names shuffled, is the same network again.
#include "test/import/import_fixture.hpp"
#include "test/import/sample_network.hpp"

#include <filesystem>

namespace coll_topo::importing {
namespace {

std::vector<std::string> topology_files() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(source_path("share/topologies"))) {
        if (entry.path().extension() == ".conf") files.push_back(entry.path().string());
    }
    return files;
}

Fabric read_file(const std::string& path) {
    auto file = read_topology_file(path);
    EXPECT_TRUE(file) << path;
    assume_bandwidth(file->fabric);
    return std::move(file->fabric);
}

class RoundTrip : public testing::TestWithParam<std::string> {};

TEST_P(RoundTrip, IbnetdiscoverGivesTheSameNetwork) {
    const Fabric fabric = read_file(GetParam());
    const std::uint64_t seeds = fabric.hosts.size() < 1000 ? 3 : 1;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        std::map<std::string, std::string> old_name;
        const SampleNetwork network = shuffled(fabric, seed, old_name);
        for (const std::string& text : {ibnetdiscover_text(network), ibnetdiscover_ports_text(network)}) {
            const auto read = import_text(text);
            ASSERT_TRUE(read) << read.error().text();
            EXPECT_EQ("", notes_of(*read));
            EXPECT_EQ(named_cables(fabric, {}, false), named_cables(as_written(*read), old_name, false));
            EXPECT_EQ(fabric.torus() != nullptr, read->fabric.torus() != nullptr);
        }
    }
}

/// "a b 1.25e+10" without the speed.
std::vector<std::string> without_speeds(std::vector<std::string> cables) {
    for (std::string& cable : cables) cable.resize(cable.find(' ', cable.find(' ') + 1));
    return cables;
}

TEST_P(RoundTrip, SlurmGivesTheSameNetwork) {
    const Fabric fabric = read_file(GetParam());
    std::map<std::string, std::string> old_name;
    const auto read = import_text(slurm_topology_text(fabric, old_name));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ("", notes_of(*read));
    EXPECT_EQ(without_speeds(named_cables(fabric, {}, true)),
              without_speeds(named_cables(as_written(*read), old_name, true)));
}

INSTANTIATE_TEST_SUITE_P(ShareTopologies, RoundTrip, testing::ValuesIn(topology_files()), [](const auto& row) {
    std::string name = std::filesystem::path(row.param).stem();
    for (char& letter : name) letter = letter == '-' ? '_' : letter;
    return name;
});

}  // namespace
}  // namespace coll_topo::importing
