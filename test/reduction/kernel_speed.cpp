// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of certified sums cost beside plain addition, in nanoseconds for an element and as a ratio. All take
// turns, so that noise meets all alike; medians are shown. Doubles a vector as arguments; without: in L2, out of cache.
#include "coll_topo/reduction/certified_kernels.hpp"
#include "coll_topo/reduction/floating_environment.hpp"

#include <time.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace coll_topo;

constexpr int rounds = 21;

/// Of this thread: other programs may run beside it.
double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Candidate {
    std::string name;
    std::function<void()> run;
    std::vector<double> seconds;
};

// As fast as Open MPI's own operation.
#if defined(__x86_64__) && !defined(__clang__)
#define VECTORISED [[gnu::noinline, gnu::optimize("O3"), gnu::target("avx2")]]
#else
#define VECTORISED [[gnu::noinline]]
#endif

template <typename Value>
VECTORISED void add(const Value* __restrict source, Value* __restrict target, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) target[i] += source[i];
}

double median(std::vector<double> samples) {
    std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
    return samples[samples.size() / 2];
}

template <typename Value>
void measure(FloatingType type, const char* type_name, std::size_t count) {
    struct Set {
        InstructionSet set;
        const char* name;
    };
    constexpr Set sets[] = {{InstructionSet::scalar, "scalar"},
                            {InstructionSet::avx2, "avx2"},
                            {InstructionSet::avx512, "avx512"},
                            {InstructionSet::neon, "neon"}};
    const CertifiedKernels& best = certified_kernels(type);
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::vector<Value> source(count), values(count);
    std::vector<std::byte> low(count * best.low_bytes), packed(count * best.packed_bytes);
    std::vector<std::uint16_t> bound(count);
    for (std::size_t i = 0; i < count; ++i) source[i] = static_cast<Value>(normal(random)), values[i] = source[i];
    const Shadow shadow{low.data(), bound.data()};
    best.expand(values.data(), shadow, count);
    best.pack(values.data(), shadow, packed.data(), count);

    std::vector<Candidate> candidates{{"plain addition", [&] { add(source.data(), values.data(), count); }, {}}};
    const auto enter = [&](const char* set, const char* kernel, std::function<void()> run) {
        candidates.push_back({std::string(set) + " " + kernel, std::move(run), {}});
    };
    for (const Set& set : sets) {
        const CertifiedKernels* kernels = certified_kernels(type, set.set);
        if (kernels == nullptr) continue;
        enter(set.name, "add_plain_to_plain",
              [&, kernels] { kernels->add_plain_to_plain(source.data(), values.data(), shadow, count); });
        enter(set.name, "add_plain", [&, kernels] { kernels->add_plain(source.data(), values.data(), shadow, count); });
        enter(set.name, "add_packed",
              [&, kernels] { kernels->add_packed(packed.data(), values.data(), shadow, count); });
        enter(set.name, "expand", [&, kernels] { kernels->expand(values.data(), shadow, count); });
        enter(set.name, "round", [&, kernels] { kernels->round(values.data(), shadow, count); });
        enter(set.name, "find_sentinel", [&, kernels] { kernels->find_sentinel(values.data(), 0, count); });
    }
    enter("any", "pack", [&] { best.pack(values.data(), shadow, packed.data(), count); });

    const FloatingEnvironment environment;
    const int repetitions = static_cast<int>(std::max<std::size_t>(1, (std::size_t{1} << 17) / count));
    for (int round = 0; round < rounds; ++round) {
        for (Candidate& candidate : candidates) {
            candidate.run();
            const double begin = processor_seconds();
            for (int i = 0; i < repetitions; ++i) candidate.run();
            candidate.seconds.push_back((processor_seconds() - begin) / repetitions / static_cast<double>(count));
        }
    }
    std::printf("\n%zu %s\n", count, type_name);
    const double plain = median(candidates[0].seconds);
    for (const Candidate& candidate : candidates) {
        const double seconds = median(candidate.seconds);
        std::printf("    %-28s %7.3f ns %6.2f\n", candidate.name.c_str(), seconds * 1e9, seconds / plain);
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::size_t> counts;
    for (int i = 1; i < argc; ++i) counts.push_back(std::strtoul(argv[i], nullptr, 10));
    if (counts.empty()) counts = {std::size_t{1} << 14, std::size_t{1} << 22};
    for (const std::size_t count : counts) {
        measure<double>(FloatingType::double_precision, "double", count);
        measure<float>(FloatingType::single_precision, "float", count);
        measure<long double>(FloatingType::extended_precision, "long double", count);
    }
}
