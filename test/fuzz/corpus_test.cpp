// SPDX-License-Identifier: BSD-3-Clause
// The inputs that fuzzing has kept, among them all that found a fault.
#include "test/fuzz/readers.hpp"
#include "test/input/topology_test_files.hpp"

#include <gtest/gtest.h>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace coll_topo::fuzz {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr int most_seconds = 20;
#else
constexpr int most_seconds = 1;
#endif

class Corpus : public ::testing::TestWithParam<Reader> {};

TEST_P(Corpus, ReadersHoldWhatTheyPromise) {
    int inputs = 0;
    const std::string folder = source_path("test/fuzz/corpus/" + std::string(GetParam().name));
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const std::clock_t begin = std::clock();
        EXPECT_EQ("", GetParam().complaint(bytes)) << entry.path();
        EXPECT_LT(std::clock() - begin, most_seconds * CLOCKS_PER_SEC) << entry.path();
        ++inputs;
    }
    EXPECT_GT(inputs, 0) << folder;
}

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, ::testing::ValuesIn(readers),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace coll_topo::fuzz
