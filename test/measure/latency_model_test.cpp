// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/latency_model.hpp"
#include "coll_topo/measure/least_squares.hpp"

#include <gtest/gtest.h>

namespace coll_topo::bench {
namespace {

constexpr double microsecond = 1e-6, message_time = 0.3e-6;

/// What the probes take if a message takes 0.8 us besides its message time, and a cable of each kind as given.
std::vector<double> seconds_of(const std::vector<LatencyProbe>& probes, const std::vector<double>& hop) {
    std::vector<double> seconds;
    for (const LatencyProbe& probe : probes) {
        seconds.push_back(message_time + 0.8 * microsecond);
        for (std::size_t kind = 0; kind < hop.size(); ++kind) seconds.back() += probe.hops[kind] * hop[kind];
    }
    return seconds;
}

TEST(LeastSquares, GivesTheLineNearestToPointsThatAreOnNone) {
    const auto line = least_squares({{1, 0}, {1, 1}, {1, 2}}, {0, 3, 3});
    ASSERT_TRUE(line);
    EXPECT_NEAR((*line)[0], 0.5, 1e-12);
    EXPECT_NEAR((*line)[1], 1.5, 1e-12);
}

TEST(LeastSquares, GivesNothingIfRowsDoNotDetermineTheCoefficients) {
    EXPECT_FALSE(least_squares({{1, 2}, {2, 4}, {3, 6}}, {1, 2, 3}));
    EXPECT_FALSE(least_squares({{1, 2}}, {1}));
    EXPECT_FALSE(least_squares({}, {}));
}

TEST(LatencyModel, SeparatesTheStartFromCablesByProbesOfSeveralLengths) {
    const std::vector<LatencyProbe> probes = {{{0, 1}, {1, 0}}, {{0, 2}, {2, 0}}, {{0, 4}, {0, 1}}, {{0, 3}, {3, 0}}};
    const LatencyModel model =
        fit_latencies(probes, seconds_of(probes, {0.1 * microsecond, 0.2 * microsecond}), message_time, true);
    ASSERT_TRUE(model.start && model.hop[0] && model.hop[1]);
    EXPECT_NEAR(*model.start, 0.8 * microsecond, 1e-12);
    EXPECT_NEAR(*model.hop[0], 0.1 * microsecond, 1e-12);
    EXPECT_NEAR(*model.hop[1], 0.2 * microsecond, 1e-12);
}

TEST(LatencyModel, SeparatesTheStartFromCablesByProbesAlongTwoDimensions) {
    const std::vector<LatencyProbe> probes = {{{0, 1}, {1, 0}}, {{0, 2}, {0, 1}}, {{0, 3}, {1, 1}}};
    const LatencyModel model =
        fit_latencies(probes, seconds_of(probes, {0.1 * microsecond, 0.2 * microsecond}), message_time, true);
    ASSERT_TRUE(model.start && model.hop[1]);
    EXPECT_NEAR(*model.start, 0.8 * microsecond, 1e-12);
    EXPECT_NEAR(*model.hop[1], 0.2 * microsecond, 1e-12);
}

TEST(LatencyModel, CablesOfATorusIncludeAnInseparableStart) {
    const std::vector<LatencyProbe> probes = {{{0, 1}, {1, 0}}, {{1, 2}, {1, 0}}};
    const LatencyModel model = fit_latencies(probes, seconds_of(probes, {0.1 * microsecond, 0}), message_time, true);
    EXPECT_FALSE(model.start);
    ASSERT_TRUE(model.hop[0]);
    EXPECT_NEAR(*model.hop[0], 0.9 * microsecond, 1e-12);
    EXPECT_FALSE(model.hop[1]);  // no probe crosses it
}

TEST(LatencyModel, TheStartOfSwitchesIncludesInseparableCables) {
    const std::vector<LatencyProbe> probes = {{{0, 1}, {2}}, {{1, 2}, {2}}};
    const LatencyModel model = fit_latencies(probes, seconds_of(probes, {0.1 * microsecond}), message_time, false);
    ASSERT_TRUE(model.start);
    EXPECT_NEAR(*model.start, 1.0 * microsecond, 1e-12);
    EXPECT_FALSE(model.hop[0]);
}

}  // namespace
}  // namespace coll_topo::bench
