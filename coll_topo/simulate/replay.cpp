// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/replay.hpp"

#include "coll_topo/simulate/lane_actor.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <string>

namespace coll_topo::simulate {
namespace {

namespace s4u = simgrid::s4u;

/// For lanes that have that many steps.
std::vector<s4u::BarrierPtr> make_barriers(const Schedule& schedule) {
    std::vector<unsigned> lanes;  // by step
    for (const Program& program : schedule) {
        for (const Lane& lane : program.lanes) {
            const std::size_t steps = program.steps_of(lane).size();
            if (lanes.size() < steps) lanes.resize(steps, 0);
            for (std::size_t step = 0; step < steps; ++step) ++lanes[step];
        }
    }
    std::vector<s4u::BarrierPtr> barriers;
    for (const unsigned count : lanes) barriers.push_back(s4u::Barrier::create(count));
    return barriers;
}

}  // namespace

Simulation replay(const Schedule& schedule, Collective collective, std::uint64_t bytes, const Platform& platform,
                  const MachineCosts& costs, const SimulationSettings& settings, const Progress& progress) {
    Simulation result;
    Run run{schedule, platform, costs, settings, result, progress};
    run.short_message = settings.software_costs ? costs.message_time * platform.fastest_bandwidth() : 0;
    const int ranks = static_cast<int>(schedule.size());
    std::vector<Processor> processors;
    for (int rank = 0; rank < ranks; ++rank) {
        processors.emplace_back(platform.memory_of_rank(rank), schedule[rank].first_lanes_first);
    }
    std::vector<MessageSizes> sizes;
    for (const Program& program : schedule) {
        sizes.emplace_back(collective, program, static_cast<int>(sizes.size()), ranks, bytes);
        result.steps.emplace_back(program.steps.size());
        run.steps += static_cast<std::int64_t>(program.steps.size());
    }
    run.ports.resize(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        for (std::size_t lane = 0; lane < schedule[rank].lanes.size(); ++lane) {
            run.ports[rank].emplace_back(rank,
                                         "port of rank " + std::to_string(rank) + ", lane " + std::to_string(lane));
        }
    }
    for (int rank = 0; rank < ranks; ++rank) {
        for (int lane = 0; lane < static_cast<int>(schedule[rank].lanes.size()); ++lane) {
            const LaneActor code(run, sizes[rank], processors[rank], rank, lane);
            const s4u::ActorPtr actor = s4u::Actor::create(
                "rank " + std::to_string(rank) + ", lane " + std::to_string(lane), platform.host_of_rank(rank), code);
            code.accept_eager(actor);
        }
    }
    if (settings.lockstep) run.barriers = make_barriers(schedule);
    s4u::Engine::get_instance()->run();
    result.seconds = s4u::Engine::get_clock();
    return result;
}

}  // namespace coll_topo::simulate
