// SPDX-License-Identifier: BSD-3-Clause
// How fast one rank combines: floats that Open MPI adds to others (MPI_Reduce_local, so op/avx where there is any), as
// the component does, beside a copy of as many bytes. In memory, and 64 KiB at a time from a buffer that stays in the
// cache, as operands are that are read from another process.
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr std::size_t in_cache = std::size_t{64} << 10;  // bytes

struct Memory {
    explicit Memory(std::size_t bytes) : from(bytes / sizeof(float), 1), to(bytes / sizeof(float), 0) {}
    std::vector<float> from, to;
};

void done(benchmark::State& state, Memory& memory) {
    benchmark::DoNotOptimize(memory.to.data());
    benchmark::ClobberMemory();
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(0));
}

void copy(benchmark::State& state) {
    Memory memory(static_cast<std::size_t>(state.range(0)));
    for (auto _ : state) {
        std::memcpy(memory.to.data(), memory.from.data(), static_cast<std::size_t>(state.range(0)));
        benchmark::ClobberMemory();
    }
    done(state, memory);
}

void combine(benchmark::State& state) {
    Memory memory(static_cast<std::size_t>(state.range(0)));
    for (auto _ : state) {
        MPI_Reduce_local(memory.from.data(), memory.to.data(), static_cast<int>(memory.to.size()), MPI_FLOAT, MPI_SUM);
    }
    done(state, memory);
}

void combine_from_cache(benchmark::State& state) {
    Memory memory(static_cast<std::size_t>(state.range(0)));
    constexpr std::size_t most = in_cache / sizeof(float);
    for (auto _ : state) {
        for (std::size_t at = 0; at < memory.to.size(); at += most) {
            const int now = static_cast<int>(std::min(most, memory.to.size() - at));
            MPI_Reduce_local(memory.from.data(), memory.to.data() + at, now, MPI_FLOAT, MPI_SUM);
        }
    }
    done(state, memory);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
    struct {
        const char* name;
        void (*run)(benchmark::State&);
    } const ways[] = {{"copy", copy}, {"combine", combine}, {"combine_from_cache", combine_from_cache}};
    for (const auto& way : ways) {
        benchmark::RegisterBenchmark(way.name, way.run)->RangeMultiplier(4)->Range(in_cache, std::size_t{64} << 20);
    }
    benchmark::RunSpecifiedBenchmarks();
    return MPI_Finalize();
}
