// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/simulation.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/simulate/link_traffic.hpp"
#include "coll_topo/simulate/replay.hpp"
#include "coll_topo/verify/matching.hpp"
#include "coll_topo/verify/walk.hpp"

#include <string>

namespace coll_topo {
namespace {

Expected<void> check_matching(const Schedule& schedule, Collective collective) {
    std::vector<verify::Memory> memories;
    const int ranks = static_cast<int>(schedule.size());
    for (int rank = 0; rank < ranks; ++rank) memories.emplace_back(collective, schedule[rank], rank, ranks);
    RETURN_IF_ERROR(verify::match(schedule, memories));
    return {};
}

std::vector<double> pack(const Simulation& simulation) {
    std::vector<double> numbers = {simulation.seconds};
    for (const auto& steps : simulation.steps) {
        for (const StepTime& step : steps) numbers.insert(numbers.end(), {step.begin, step.end});
    }
    return numbers;
}

Simulation unpack(const std::vector<double>& numbers, const Schedule& schedule) {
    Simulation simulation;
    std::size_t next = 0;
    simulation.seconds = numbers[next++];
    for (const Program& program : schedule) {
        auto& steps = simulation.steps.emplace_back(program.steps.size());
        for (StepTime& step : steps) {
            step.begin = numbers[next++];
            step.end = numbers[next++];
        }
    }
    return simulation;
}

/// Fails with the first step found that never ended.
Expected<void> check_end(const Simulation& simulation, const Schedule& schedule, bool lockstep) {
    const std::string stuck = lockstep ? "never ends: its partners are in other steps; simulate without lockstep"
                                       : "never ends: the schedule gets stuck";
    for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank) {
        RETURN_IF_ERROR(verify::check_steps(schedule[rank], rank, [&](int, std::int32_t step) -> std::string {
            const StepTime& time = simulation.steps[rank][step];
            return time.end >= time.begin && time.begin >= 0 ? "" : stuck;
        }));
    }
    return {};
}

}  // namespace

Expected<Simulation> simulate_schedule(const Schedule& schedule, Collective collective, std::uint64_t bytes,
                                       const Fabric& fabric, const Placement& placement,
                                       const SimulationSettings& settings, const simulate::Progress& progress) {
    RETURN_IF_ERROR(check_matching(schedule, collective));
    LinkGraph graph(fabric);
    ASSIGN_OR_RETURN(auto traffic, simulate::link_traffic(schedule, collective, bytes, graph, placement));

    const auto work = [&](const simulate::Progress& report) {
        simulate::start_simgrid(settings.resolution);
        const simulate::Platform platform(graph, placement, fabric.costs.memory_bandwidth);
        return pack(simulate::replay(schedule, collective, bytes, platform, fabric.costs, settings, report));
    };
    ASSIGN_OR_RETURN(const auto numbers, simulate::compute_in_child("simulation", work, progress));
    Simulation simulation = unpack(numbers, schedule);
    RETURN_IF_ERROR(check_end(simulation, schedule, settings.lockstep));
    simulation.link_bytes = std::move(traffic);
    return simulation;
}

}  // namespace coll_topo
