// SPDX-License-Identifier: BSD-3-Clause
//
// Cases small enough to compute by hand. All links have 1 GB/s, so that a megabyte takes a millisecond.
#pragma once

#include "coll_topo/simulate/simulation.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/verify/hand_written.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::test {

constexpr std::uint64_t megabyte = 1000000;
constexpr double millisecond = 1e-3, microsecond = 1e-6;
constexpr double precision = 1e-11;

constexpr SimulationSettings links_only = {.software_costs = false};

inline Fabric ring(int hosts, double latency) {
    std::vector<TorusDimension> dimensions = {{hosts, true, 1e9, latency}};
    Fabric fabric{{}, Torus("ring", dimensions, Tie::positive), {}};
    for (int host = 0; host < hosts; ++host) fabric.hosts.add("n" + std::to_string(host));
    return fabric;
}

/// One step for everybody: blocks that go from rank to rank, sent in the order listed.
struct OneWay {
    int from;
    int to;
    int blocks;
};
inline Schedule one_step(int ranks, int blocks, const std::vector<OneWay>& messages) {
    Schedule schedule;
    for (int rank = 0; rank < ranks; ++rank) {
        ProgramWriter writer(blocks);
        writer.lane().step();
        for (const OneWay& message : messages) {
            if (message.from == rank) writer.send(message.to, output(0, message.blocks));
            if (message.to == rank) writer.receive(message.from, output(0, message.blocks));
        }
        schedule.push_back(writer);
    }
    return schedule;
}

inline Simulation simulate(const Schedule& schedule, std::uint64_t bytes, const Fabric& fabric,
                           const Placement& placement, const SimulationSettings& settings = links_only) {
    auto simulation = simulate_schedule(schedule, Collective::allreduce, bytes, fabric, placement, settings);
    EXPECT_TRUE(simulation) << simulation.error().text();
    return simulation ? std::move(*simulation) : Simulation{};
}

inline double seconds(const Schedule& schedule, std::uint64_t bytes, const Fabric& fabric,
                      const SimulationSettings& settings = links_only) {
    return simulate(schedule, bytes, fabric, ranks_on_all(fabric), settings).seconds;
}

}  // namespace coll_topo::test
