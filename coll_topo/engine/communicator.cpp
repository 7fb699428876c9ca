// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/communicator.hpp"

#include "coll_topo/engine/guard.hpp"
#include "coll_topo/engine/topology.hpp"

#include <algorithm>

using namespace coll_topo;

coll_topo_communicator::coll_topo_communicator(Grid grid, int rank, const coll_topo_settings& settings)
    : grid_(std::move(grid)), rank_(rank), settings_(settings), summary_(grid_.summary()) {}

coll_topo_plan* coll_topo_communicator::choose(Collective collective, std::size_t bytes, bool commutative,
                                               const char** explanation) {
    const int wanted_class = size_class(bytes);
    Choice& choice = choices_[static_cast<std::size_t>(collective)][wanted_class][commutative ? 1 : 0];
    *explanation = nullptr;
    if (choice.made) return choice.plan;

    const Request request{collective, representative_bytes(wanted_class), commutative};
    const int forced = settings_.algorithm[static_cast<int>(collective)];
    const Preferences preferences{forced < 0 ? nullptr : &catalogue()[forced], settings_.aggregators, settings_.lanes,
                                  settings_.max_lanes};
    const Decision decision = decide(grid_, request, preferences);
    if (decision.chosen >= 0) choice.plan = plan_for(decision.candidates[decision.chosen]);
    choice.made = true;
    explanation_ = decision.explanation(request);
    *explanation = explanation_.c_str();
    return choice.plan;
}

coll_topo_plan* coll_topo_communicator::plan_for(const Candidate& candidate) {
    const Problem& problem = candidate.problem;
    for (const auto& plan : plans_) {
        if (plan->algorithm == candidate.algorithm && plan->problem == problem) return plan.get();
    }
    plans_.push_back(std::unique_ptr<coll_topo_plan>(
        new coll_topo_plan{candidate.algorithm, problem,
                           Plan(candidate.algorithm->build(grid_, problem, rank_), problem.collective, grid_.ranks(),
                                rank_, settings_.segment_bytes)}));
    return plans_.back().get();
}

int coll_topo_communicator_create(const coll_topo_topology* topology, const coll_topo_location* locations, int ranks,
                                  int rank, const coll_topo_settings* settings, coll_topo_communicator** communicator,
                                  char* message, size_t message_size) {
    *communicator = nullptr;
    return guarded(message, message_size, [&] {
        Placement placement;
        placement.reserve(ranks);
        for (const coll_topo_location& at : std::span(locations, ranks)) {
            placement.push_back({at.host, at.package, at.numa, at.l3, at.core});
        }
        auto grid = Grid::from_torus(topology->fabric, placement);
        if (!grid) {
            write_message(grid.error().text(), message, message_size);
            return static_cast<int>(COLL_TOPO_FAILED);
        }
        *communicator = new coll_topo_communicator(std::move(*grid), rank, *settings);
        return static_cast<int>(COLL_TOPO_OK);
    });
}

void coll_topo_communicator_free(coll_topo_communicator* communicator) {
    delete communicator;
}

const char* coll_topo_communicator_summary(const coll_topo_communicator* communicator) {
    return communicator->summary().c_str();
}

int coll_topo_choose(coll_topo_communicator* communicator, int collective, size_t bytes, int commutative,
                     const char** explanation, coll_topo_plan** plan) {
    *plan = nullptr;
    *explanation = nullptr;
    return guarded(nullptr, 0, [&] {
        *plan = communicator->choose(static_cast<Collective>(collective), bytes, commutative != 0, explanation);
        return static_cast<int>(COLL_TOPO_OK);
    });
}

int coll_topo_run(coll_topo_communicator* communicator, coll_topo_plan* plan, coll_topo_transport* transport,
                  const coll_topo_buffers* buffers) {
    return guarded(nullptr, 0, [&] { return communicator->run(*plan, *transport, *buffers); });
}
