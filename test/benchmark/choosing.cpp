// SPDX-License-Identifier: BSD-3-Clause
// What the first call of a size costs a rank before its first message: the choice among all algorithms, and the steps
// of the chosen one.
//
//   choosing FILE RANKS_PER_HOST [--benchmark_filter=allreduce ...]
#include "coll_topo/tool/scenario/scenario.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace coll_topo;

void choose(benchmark::State& state, const Grid& grid, Call call) {
    const Request request{call, static_cast<double>(state.range(0))};
    std::string chosen = "left to the module before";
    for (auto _ : state) {
        const Decision decision = decide(grid, request, {});
        if (decision.chosen < 0) continue;
        const Candidate& best = decision.candidates[static_cast<std::size_t>(decision.chosen)];
        benchmark::DoNotOptimize(best.algorithm->build(grid, best.problem, grid.ranks() - 1));
        chosen = best.text();
    }
    state.SetLabel(chosen);
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    tool::ScenarioOptions options;
    if (argc != 3) {
        std::fputs("usage: choosing FILE RANKS_PER_HOST\n", stderr);
        return 2;
    }
    options.file = argv[1];
    options.ranks_per_host = std::atoi(argv[2]);
    const auto scenario = tool::make_scenario(options);
    if (!scenario) {
        std::fprintf(stderr, "%s\n", scenario.error().text().c_str());
        return 2;
    }
    for (const Call call : {Call::allreduce, Call::reduce, Call::bcast, Call::reduce_scatter, Call::allgather,
                            Call::alltoall, Call::barrier}) {
        auto* const choice = benchmark::RegisterBenchmark(
            std::string(call_name(call)).c_str(),
            [&scenario, call](benchmark::State& state) { choose(state, scenario->grid, call); });
        choice->Unit(benchmark::kMillisecond)->Arg(8);
        if (call == Call::barrier) continue;
        for (const int bytes : {16 << 10, 1 << 20, 64 << 20}) choice->Arg(bytes);
    }
    benchmark::RunSpecifiedBenchmarks();
}
