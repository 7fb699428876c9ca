// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/engine/engine.h"
#include "coll_topo/execute/executor.hpp"
#include "coll_topo/select/decision.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

/// A chosen schedule with what it was chosen for.
struct coll_topo_plan {
    const coll_topo::Algorithm* algorithm;
    coll_topo::Problem problem;
    coll_topo::Plan plan;
};

/// What is known about one communicator: its grid, the choice for every size class met so far, and the plans made for
/// them. There are at most as many plans as candidates, a handful for each collective.
struct coll_topo_communicator {
public:
    coll_topo_communicator(coll_topo::Grid grid, int rank, const coll_topo_settings& settings);

    const std::string& summary() const { return summary_; }

    /// The plan, or null for the previous module. `explanation` is set on the first request of a class.
    coll_topo_plan* choose(coll_topo::Collective collective, std::size_t bytes, bool commutative,
                           const char** explanation);

    int run(coll_topo_plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers) {
        return coll_topo::execute(plan.plan, transport, buffers, workspace_);
    }

private:
    static constexpr int size_classes = 8 * sizeof(std::size_t) + 1;
    struct Choice {
        bool made = false;
        coll_topo_plan* plan = nullptr;
    };

    coll_topo_plan* plan_for(const coll_topo::Candidate& candidate);

    coll_topo::Grid grid_;
    int rank_;
    coll_topo_settings settings_;
    std::string summary_;
    std::string explanation_;
    std::array<std::array<std::array<Choice, 2>, size_classes>, coll_topo::collective_count> choices_;
    std::vector<std::unique_ptr<coll_topo_plan>> plans_;
    coll_topo::Workspace workspace_;
};
