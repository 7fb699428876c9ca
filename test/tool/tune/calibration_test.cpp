// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/calibration.hpp"

#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>
#include <algorithm>

namespace coll_topo::tool {
namespace {

MeasuredValue exactly(double value) {
    return summarise({value, value, value});
}

/// What the text becomes by these measurements.
std::string calibrated(const std::string& text, const MeasuredCosts& costs) {
    const auto file = read_topology_text(text, "test.conf");
    const auto statements = count_statements(text, "test.conf");
    if (!file || !statements) return "no topology file";
    const auto result = edit_topology(text, "test.conf", calibrate(file->fabric, *statements, costs, 2).edits);
    if (!result || !read_topology_text(*result, "test.conf")) return "not as it should be";
    return *result;
}

const std::string torus = "TorusName=t Dims=3x2x1 Nodes=n[0-5] Bandwidth=25Mbit/s Latency=50us\n";

TEST(Calibration, WritesAllThatWasMeasuredOfATorus) {
    MeasuredCosts costs;
    costs.message_time = exactly(0.31e-6);
    costs.local_message_time = exactly(0.12e-6);
    costs.local_bandwidth = exactly(5.678e9);
    costs.reduce_bandwidth = exactly(7.5e9);
    costs.copy_bandwidth = exactly(11e9);
    costs.memory_bandwidth = exactly(90e9);
    costs.bandwidth = {exactly(3e6), exactly(2.98e6), {}};
    costs.hop_latency = {exactly(0.1e-6), exactly(0.2e-6), {}};
    costs.start_latency = exactly(0.8e-6);
    EXPECT_EQ(calibrated(torus, costs),
              "TorusName=t Dims=3x2x1 Nodes=n[0-5] Bandwidth=3MB/s,2.98MB/s,3125000B/s Latency=100ns,200ns,50000ns\n"
              "HostLink Latency=400ns\n"
              "Machine MessageTime=310ns LocalMessageTime=120ns LocalBandwidth=5.68GB/s ReduceBandwidth=7.5GB/s "
              "CopyBandwidth=11GB/s MemoryBandwidth=90GB/s\n");
}

TEST(Calibration, KeepsWhatWasNotMeasuredWell) {
    MeasuredCosts costs;
    costs.message_time = summarise({1e-6, 1e-6, 9e-6, 9e-6});
    costs.bandwidth = {summarise({0, 3e6, 3e6, 3e6, 3e6}), {}, {}};
    costs.hop_latency = {exactly(-1e-6), {}, {}};
    EXPECT_EQ(calibrated(torus, costs),
              "TorusName=t Dims=3x2x1 Nodes=n[0-5] Bandwidth=3MB/s,3125000B/s,3125000B/s Latency=50us\n");
    const auto file = read_topology_text(torus, "test.conf");
    const auto values = calibrate(file->fabric, {}, costs, 2).values;
    const auto why = [&](const std::string& name) {
        const auto value =
            std::find_if(values.begin(), values.end(), [&](const CalibratedValue& one) { return one.name == name; });
        return value == values.end() ? "not there" : value->kept_for;
    };
    EXPECT_EQ(why("Bandwidth of dimension 1"), "");
    EXPECT_EQ(why("Bandwidth of dimension 2"), "not measured");
    EXPECT_EQ(why("Bandwidth of dimension 3"), "not there");
    EXPECT_EQ(why("Latency of dimension 1"), "not distinguishable from 0");
    EXPECT_EQ(why("MessageTime"), "trials disagree");
}

TEST(Calibration, HalfOfTheStartIsInEachCableOfAHost) {
    MeasuredCosts costs;
    costs.bandwidth = {exactly(10e9)};
    costs.start_latency = exactly(1e-6);
    costs.hop_latency = {exactly(0.25e-6)};
    EXPECT_EQ(calibrated("SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nLink From=a,b To=s\n", costs),
              "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nLink From=a,b To=s Latency=250ns\n"
              "HostLink Bandwidth=10GB/s Latency=500ns\n");
    EXPECT_EQ(calibrated("LatinSquareName=l Order=2 HostsPerLeaf=1 Nodes=n[0-6]\nHostLink Bandwidth=1GB/s\n", costs),
              "LatinSquareName=l Order=2 HostsPerLeaf=1 Nodes=n[0-6] Latency=250ns\n"
              "HostLink Bandwidth=10GB/s Latency=500ns\n");
}

TEST(Calibration, LeavesLatenciesOfSeveralLinkLinesAlone) {
    MeasuredCosts costs;
    costs.hop_latency = {exactly(0.25e-6)};
    const std::string text =
        "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nLink From=a To=s Latency=1us\nLink From=b To=s\n";
    EXPECT_EQ(calibrated(text, costs), text);
}

}  // namespace
}  // namespace coll_topo::tool
