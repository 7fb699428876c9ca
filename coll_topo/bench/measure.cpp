// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/measure.hpp"

#include "coll_topo/mpi_run/rank_tree.hpp"

#include <algorithm>

namespace coll_topo::bench {

namespace {

constexpr double least_notice = 1e-3;
constexpr std::size_t warm_up_elements = 16384;

Call next_call(Bench& bench, const Case& which) {
    Call call;
    call.ranks = bench.ranks;
    call.rank = bench.rank;
    call.root = which.root;
    call.in_place = which.in_place;
    call.count = which.elements;
    call.number = ++bench.calls;
    if (which.operation->of_neighbors) call.cartesian = &*bench.cartesian;
    return call;
}

/// Several times what it takes until all ranks have heard from rank 0.
double notice(const RankTree& ranks) {
    double longest = 0;
    int nothing = 0;
    ranks.ask(nothing);  // others may still be in a call that rank 0 has left
    for (int i = 0; i < 3; ++i) {
        const double begin = local_seconds();
        ranks.ask(nothing);
        ranks.tell(nothing);
        longest = std::max(longest, local_seconds() - begin);
    }
    return std::max(least_notice, 3 * longest);
}

/// One call, ordered by rank 0.
Outcome run(Bench& bench, const Call& call, const Operation& operation, const Entrant& entrant,
            const CommonClock& clock, double start) {
    Outcome outcome;
    const unsigned long long runs_before = bench.variables.runs(entrant.counter).value_or(0);
    outcome.late = clock.now() > start;
    clock.wait_until(start);
    entrant.run(call);
    outcome.seconds = clock.now() - start;
    outcome.topo_runs = static_cast<int>(bench.variables.runs(entrant.counter).value_or(0) - runs_before);
    if (!entrant.has_result) return outcome;
    if (const auto wrong = operation.wrong(call, bench.buffers)) {
        outcome.wrong = 1;
        outcome.index = static_cast<long long>(*wrong);
        outcome.found = bench.buffers.output[*wrong];
        outcome.expected = operation.expected(call, *wrong);
    }
    return outcome;
}

}  // namespace

Entrant blocking_calls(Bench& bench, const Operation& operation, const Component& component, int times) {
    const auto run = [&bench, &operation, communicator = component.communicator(), times](const Call& call) {
        for (int i = 0; i < times; ++i) operation.run(call, bench.buffers, communicator);
    };
    return {run, std::string(operation.name)};
}

void warm_up(Bench& bench, const Case& which, const std::vector<Entrant>& entrants) {
    for (const Entrant& entrant : entrants) {
        Call call = next_call(bench, which);
        call.count = std::min(call.count, warm_up_elements);
        which.operation->prepare(call, bench.buffers);
        entrant.run(call);
    }
}

std::vector<Measurement> take_turns(Bench& bench, const Case& which, const std::vector<Entrant>& entrants,
                                    const CommonClock& clock, const std::function<void(int)>& progress) {
    const RankTree ranks(bench.communicator);
    const Turns::Limits limits{which.repetitions, which.seconds, notice(ranks)};
    Turns turns(static_cast<int>(entrants.size()), limits);
    Outcome outcome;  // of the last call, reported when the next one is prepared
    for (bool first = true; true; first = false) {
        const Call call = next_call(bench, which);
        which.operation->prepare(call, bench.buffers);
        const std::vector<Outcome> outcomes = ranks.ask(outcome);
        Turns::Order order;
        if (bench.rank == 0) {
            if (!first) turns.note(outcomes);
            order = turns.next(clock.now());
            if (order.component >= 0 && turns.begins_round()) progress(turns.round());
        }
        ranks.tell(order);
        if (order.component < 0) break;
        const Entrant& entrant = entrants[static_cast<std::size_t>(order.component)];
        outcome = run(bench, call, *which.operation, entrant, clock, order.start);
    }
    return bench.rank == 0 ? turns.take() : std::vector<Measurement>{};
}

std::vector<Measurement> measure(Bench& bench, const Case& which, const std::vector<Component>& components,
                                 const CommonClock& clock, const std::function<void(int)>& progress) {
    std::vector<Entrant> once, entrants;
    for (const Component& component : components) {
        once.push_back(blocking_calls(bench, *which.operation, component, 1));
        entrants.push_back(blocking_calls(bench, *which.operation, component, which.back_to_back));
    }
    warm_up(bench, which, once);
    std::vector<Measurement> seen = take_turns(bench, which, entrants, clock, progress);
    for (Measurement& one : seen) {
        for (double& seconds : one.seconds) seconds /= which.back_to_back;
    }
    return seen;
}

}  // namespace coll_topo::bench
