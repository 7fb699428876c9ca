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
    return call;
}

/// Connections are made, schedules planned, and memory is touched, but no large amount of data moves.
void warm_up(Bench& bench, const Case& which, const std::vector<Component>& components) {
    for (const Component& component : components) {
        Call call = next_call(bench, which);
        call.count = std::min(call.count, warm_up_elements);
        which.operation->prepare(call, bench.buffers);
        which.operation->run(call, bench.buffers, component.communicator());
    }
}

/// Several times what it takes until all ranks have heard from rank 0.
double notice(const RankTree& ranks) {
    double longest = 0;
    for (int i = 0; i < 3; ++i) {
        const double begin = local_seconds();
        int nothing = 0;
        ranks.ask(nothing);
        ranks.tell(nothing);
        longest = std::max(longest, local_seconds() - begin);
    }
    return std::max(least_notice, 3 * longest);
}

/// One call, or several back to back, ordered by rank 0.
Outcome run(Bench& bench, const Call& call, const Case& which, const Component& component, const CommonClock& clock,
            double start) {
    const Operation& operation = *which.operation;
    Outcome outcome;
    const unsigned long long runs_before = bench.variables.runs(operation.name).value_or(0);
    outcome.late = clock.now() > start;
    clock.wait_until(start);
    for (int i = 0; i < which.back_to_back; ++i) operation.run(call, bench.buffers, component.communicator());
    outcome.seconds = clock.now() - start;
    outcome.topo_runs = static_cast<int>(bench.variables.runs(operation.name).value_or(0) - runs_before);
    if (const auto wrong = operation.wrong(call, bench.buffers)) {
        outcome.wrong = 1;
        outcome.index = static_cast<long long>(*wrong);
        outcome.found = bench.buffers.output[*wrong];
        outcome.expected = operation.expected(call, *wrong);
    }
    return outcome;
}

}  // namespace

std::vector<Measurement> measure(Bench& bench, const Case& which, const std::vector<Component>& components,
                                 const CommonClock& clock, const std::function<void(int)>& progress) {
    warm_up(bench, which, components);
    const RankTree ranks(bench.communicator);
    const Turns::Limits limits{which.repetitions, which.seconds, notice(ranks)};
    Turns turns(static_cast<int>(components.size()), limits);
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
        const Component& component = components[static_cast<std::size_t>(order.component)];
        outcome = run(bench, call, which, component, clock, order.start);
    }
    if (bench.rank != 0) return {};
    std::vector<Measurement> seen = turns.take();
    for (Measurement& one : seen) {
        for (double& seconds : one.seconds) seconds /= which.back_to_back;
    }
    return seen;
}

}  // namespace coll_topo::bench
