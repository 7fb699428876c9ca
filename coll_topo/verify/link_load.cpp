// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/proof.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

// Adds up the load of one step at a time.
class LinkCounter {
public:
    LinkCounter(const Torus& torus) : torus_(torus), load_(torus.links()) {}

    void add(std::int64_t from, std::int64_t to, std::int64_t blocks) {
        route_.clear();
        torus_.route(from, to, route_);
        for (const std::int64_t link : route_) {
            if (load_[link].messages == 0) used_.push_back(link);
            ++load_[link].messages;
            load_[link].blocks += blocks;
        }
    }

    /// The busiest link since the last call.
    StepLoad take() {
        StepLoad busiest;
        for (const std::int64_t link : used_) {
            busiest.messages = std::max(busiest.messages, load_[link].messages);
            busiest.blocks = std::max(busiest.blocks, load_[link].blocks);
            load_[link] = {};
        }
        used_.clear();
        return busiest;
    }

private:
    const Torus& torus_;
    std::vector<StepLoad> load_;      // by directed link
    std::vector<std::int64_t> used_;  // the links with a load
    std::vector<std::int64_t> route_;
};

std::size_t longest_lane(const Schedule& schedule) {
    std::size_t steps = 0;
    for (const Program& program : schedule) {
        for (const Lane& lane : program.lanes) steps = std::max(steps, program.steps_of(lane).size());
    }
    return steps;
}

}  // namespace

std::vector<StepLoad> link_load(const Schedule& schedule, const Fabric& fabric, const Placement& placement) {
    std::vector<StepLoad> loads;
    if (fabric.torus() == nullptr) return loads;
    LinkCounter links(*fabric.torus());
    const std::size_t steps = longest_lane(schedule);
    for (std::size_t step = 0; step < steps; ++step) {
        for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
            const Program& program = schedule[rank];
            for (const Lane& lane : program.lanes) {
                if (step >= program.steps_of(lane).size()) continue;
                for (const Action& action : program.actions_of(program.steps_of(lane)[step])) {
                    if (action.kind != ActionKind::send) continue;
                    links.add(fabric.cell(placement[rank].host), fabric.cell(placement[action.peer].host),
                              action.count);
                }
            }
        }
        loads.push_back(links.take());
    }
    return loads;
}

std::int64_t blocks_sent(const Program& program) {
    std::int64_t blocks = 0;
    for (const Action& action : program.actions) {
        if (action.kind == ActionKind::send) blocks += action.count;
    }
    return blocks;
}

}  // namespace coll_topo
