// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/proof.hpp"
#include "coll_topo/verify/rounds.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

// Adds up the load of one step at a time.
class LinkCounter {
public:
    explicit LinkCounter(LinkGraph& network) : network_(network), load_(network.links().size()) {}

    void add(int from_host, int to_host, std::int64_t blocks) {
        route_.clear();
        network_.route(from_host, to_host, route_);
        for (const int link : route_) {
            if (load_[link].messages == 0) used_.push_back(link);
            ++load_[link].messages;
            load_[link].blocks += blocks;
        }
    }

    /// The busiest links since the last call.
    StepLoad take() {
        StepLoad busiest;
        double longest = -1;
        for (const int link : used_) {
            if (load_[link].messages > busiest.messages) {
                busiest.messages = load_[link].messages;
                busiest.busiest_link = link;
            }
            busiest.blocks = std::max(busiest.blocks, load_[link].blocks);
            const double bandwidth = network_.links()[link].bandwidth;
            const double time = static_cast<double>(load_[link].blocks) / (bandwidth > 0 ? bandwidth : 1);
            if (time > longest) {
                longest = time;
                busiest.slowest_link = link;
            }
            load_[link] = {};
        }
        used_.clear();
        return busiest;
    }

private:
    struct Load {
        int messages = 0;
        std::int64_t blocks = 0;
    };

    LinkGraph& network_;
    std::vector<Load> load_;  // by directed link
    std::vector<int> used_;   // the links with a load
    std::vector<int> route_;
};

std::size_t longest_lane(const Schedule& schedule) {
    std::size_t steps = 0;
    for (const Program& program : schedule) {
        for (const Lane& lane : program.lanes) steps = std::max(steps, program.steps_of(lane).size());
    }
    return steps;
}

}  // namespace

std::vector<StepLoad> link_load(const Schedule& schedule, LinkGraph& network, const Placement& placement) {
    std::vector<StepLoad> loads;
    LinkCounter links(network);
    const std::size_t steps = longest_lane(schedule);
    for (std::size_t step = 0; step < steps; ++step) {
        for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
            const Program& program = schedule[rank];
            for (const Lane& lane : program.lanes) {
                if (step >= program.steps_of(lane).size()) continue;
                for (const Action& action : program.actions_of(program.steps_of(lane)[step])) {
                    if (action.kind != ActionKind::send) continue;
                    links.add(placement[rank].host, placement[action.peer].host, action.count);
                }
            }
        }
        loads.push_back(links.take());
    }
    return loads;
}

std::vector<StepLoad> link_load(const Schedule& schedule, const Fabric& fabric, const Placement& placement) {
    LinkGraph network(fabric);
    return link_load(schedule, network, placement);
}

std::vector<StepLoad> link_load(const Rounds& rounds, const Schedule& schedule, LinkGraph& network,
                                const Placement& placement) {
    std::vector<StepLoad> loads;
    LinkCounter links(network);
    for (const auto& round : rounds) {
        for (const RoundMessage& message : round) {
            const Action& send = schedule[message.from].actions[message.send];
            links.add(placement[message.from].host, placement[message.to].host, send.count);
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
