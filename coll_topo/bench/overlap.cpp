// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/overlap.hpp"

#include "coll_topo/bench/computation.hpp"
#include "coll_topo/bench/overlap_report.hpp"
#include "coll_topo/bench/overlap_results.hpp"
#include "coll_topo/mpi_run/median.hpp"
#include "coll_topo/mpi_run/nonblocking_form.hpp"
#include "coll_topo/mpi_run/quiet.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>

namespace coll_topo::bench {

namespace {

constexpr int calibrating_repetitions = 9;
/// Of the time for a case, what is spent on finding out how long to compute.
constexpr double calibrating_share = 0.2;

/// Begins a call, computes in parts with a test between them, and waits.
void run_both(const Call& call, Bench& bench, NonblockingForm start, MPI_Comm communicator, std::int64_t steps,
              int tests) {
    MPI_Request request = MPI_REQUEST_NULL;
    start(call, bench.buffers, communicator, &request);
    std::int64_t done = 0;
    for (int part = 1; part <= tests; ++part) {
        const auto next = static_cast<std::int64_t>(static_cast<double>(steps) * part / (tests + 1));
        Computation::run(next - done);
        done = next;
        int ended = 0;
        MPI_Test(&request, &ended, MPI_STATUS_IGNORE);
    }
    Computation::run(steps - done);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// With no steps, a nonblocking call that is waited for at once.
Entrant nonblocking_calls(Bench& bench, const Operation& operation, const Component& component, std::int64_t steps,
                          int tests) {
    const NonblockingForm start = nonblocking_form(operation);
    const MPI_Comm communicator = component.communicator();
    return {[&bench, start, communicator, steps, tests](const Call& call) {
                run_both(call, bench, start, communicator, steps, tests);
            },
            "i" + std::string(operation.name)};
}

Entrant computation_alone(const Operation& operation, std::int64_t steps) {
    return {[steps](const Call&) { Computation::run(steps); }, "i" + std::string(operation.name), false};
}

/// How many steps take as long as a nonblocking call of each component. Collective; also warms up.
std::vector<std::int64_t> calibrate(Bench& bench, const Case& which, const std::vector<Component>& components,
                                    const Computation& computation, const CommonClock& clock) {
    std::vector<Entrant> blocking, nonblocking;
    for (const Component& component : components) {
        blocking.push_back(blocking_calls(bench, *which.operation, component, 1));
        nonblocking.push_back(nonblocking_calls(bench, *which.operation, component, 0, 0));
    }
    warm_up(bench, which, blocking);
    warm_up(bench, which, nonblocking);
    Case few = which;
    few.repetitions = calibrating_repetitions;
    few.seconds *= calibrating_share;
    const std::vector<Measurement> seen = take_turns(bench, few, nonblocking, clock, [](int) {});
    std::vector<double> seconds(components.size());
    std::ranges::transform(seen, seconds.begin(), [](const Measurement& one) { return median(one.seconds); });
    MPI_Bcast(seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, 0, bench.communicator);
    std::vector<std::int64_t> steps;
    for (const double one : seconds) steps.push_back(computation.steps_in(one));
    return steps;
}

/// All that is measured of a component, in the order of OverlapMeasurement.
std::vector<Entrant> entrants_of(Bench& bench, const Operation& operation, const Component& component,
                                 std::int64_t steps, const std::vector<int>& tests) {
    std::vector<Entrant> entrants{blocking_calls(bench, operation, component, 1),
                                  nonblocking_calls(bench, operation, component, 0, 0),
                                  computation_alone(operation, steps)};
    for (const int number : tests) {
        entrants.push_back(nonblocking_calls(bench, operation, component, steps, number));
    }
    return entrants;
}

/// Takes what belongs to one component from the front.
OverlapMeasurement take_one(std::vector<Measurement>& seen, std::size_t tests) {
    constexpr std::size_t before_both = 3;
    const auto first_both = seen.begin() + before_both, end = first_both + static_cast<std::ptrdiff_t>(tests);
    OverlapMeasurement one{std::move(seen[0]), std::move(seen[1]), std::move(seen[2]), {}};
    std::move(first_both, end, std::back_inserter(one.both));
    seen.erase(seen.begin(), end);
    return one;
}

/// One for each component on rank 0, elsewhere nothing.
std::vector<OverlapMeasurement> measure_overlap(Bench& bench, const Case& which,
                                                const std::vector<Component>& components, const std::vector<int>& tests,
                                                const Computation& computation,
                                                const std::function<void(int)>& progress) {
    const CommonClock clock(bench.communicator);
    const std::vector<std::int64_t> steps = calibrate(bench, which, components, computation, clock);
    std::vector<Entrant> entrants;
    for (std::size_t i = 0; i < components.size(); ++i) {
        std::ranges::move(entrants_of(bench, *which.operation, components[i], steps[i], tests),
                          std::back_inserter(entrants));
    }
    std::vector<Measurement> seen = take_turns(bench, which, entrants, clock, progress);
    std::vector<OverlapMeasurement> result;
    while (!seen.empty()) result.push_back(take_one(seen, tests.size()));
    return result;
}

bool is_well(const std::vector<OverlapRow>& rows, const OverlapMeasurement& seen) {
    return seen.blocking.wrong_calls == 0 && std::ranges::all_of(rows, [](const OverlapRow& row) {
               return row.wrong_calls == 0 && (is_topo(row.component) || row.served());
           });
}

void report_wrong_calls(const OverlapCase& facts, const std::string& component, const OverlapMeasurement& seen) {
    report_wrong(facts.collective, facts.bytes, component, seen.blocking);
    report_wrong("i" + facts.collective, facts.bytes, component, seen.nonblocking);
    for (const Measurement& both : seen.both) report_wrong("i" + facts.collective, facts.bytes, component, both);
}

/// Whether all went well, on rank 0.
bool measure_contest(const Contest& contest, const Options& options, Bench& bench, const Computation& computation,
                     OverlapReport* report) {
    const std::vector<Component> components = make_components(contest, bench);
    if (components.empty()) return true;
    const Operation& operation = *contest.operation;
    bool well = true;
    for (const std::size_t elements : element_counts(options, operation, bench.pieces(operation))) {
        OverlapCase facts{std::string(operation.name), bytes_of(operation, elements, bench.pieces(operation)), {}};
        const auto progress = [&](int round) {
            if (!options.progress) return;
            std::cerr << "coll-topo-bench: overlap of " << operation.name << ", " << facts.bytes
                      << " bytes, repetition " << round + 1 << " of " << options.repetitions << std::endl;
        };
        facts.load = wait_for_quiet(bench.communicator, options.quiet_seconds);
        const Case which{&operation, elements, options.root, options.in_place, options.repetitions, options.seconds, 1};
        const auto seen = measure_overlap(bench, which, components, options.tests, computation, progress);
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const std::string name = components[i].name().text();
            const auto rows = overlap_rows(facts, name, options.tests, seen[i]);
            report->add(rows);
            report_wrong_calls(facts, name, seen[i]);
            well = well && is_well(rows, seen[i]);
        }
    }
    return well;
}

}  // namespace

bool show_overlap(const Options& options, Bench& bench, const std::vector<Contest>& contests, const RunFacts& facts,
                  std::ostream& stream) {
    std::unique_ptr<OverlapReport> report;
    if (bench.rank == 0) report = begin_overlap_report(options.format, facts, stream);
    const Computation computation(bench.communicator);
    bool well = true;
    for (const Contest& contest : contests) {
        well = measure_contest(contest, options, bench, computation, report.get()) && well;
    }
    if (bench.rank == 0) report->end();
    return well;
}

}  // namespace coll_topo::bench
