// SPDX-License-Identifier: BSD-3-Clause
// How fast two processes of one host could be: each reads what it needs where the other has it, 64 KiB at a time, and
// adds while that is in cache. Nothing is agreed, matched or planned. See scripts/compare-one-host.
#include <benchmark/benchmark.h>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <vector>

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::size_t in_cache = std::size_t{64} << 10;  // bytes

/// What both processes share. A flag counts the times that its process has come to a point.
struct Shared {
    struct alignas(64) Flag {
        std::atomic<std::uint64_t> reached{0};
    };
    Flag flags[2];
    alignas(64) std::atomic<int> call{0};  // index of the call that comes next; -1: no more
    std::atomic<std::size_t> bytes{0};
    pid_t process[2];
};

/// One of the two.
class Partner {
public:
    explicit Partner(Shared& shared) : shared_(shared), input_(most_bytes), output_(most_bytes) {}

    /// After the fork: has memory of its own from then on.
    void begin(int own) {
        own_ = own;
        shared_.process[own_] = getpid();
        std::memset(input_.data(), own_ + 1, input_.size());
        std::memset(output_.data(), 0, output_.size());
        meet();
    }

    void meet() {
        shared_.flags[own_].reached.store(++met_, std::memory_order_release);
        while (shared_.flags[1 - own_].reached.load(std::memory_order_acquire) < met_) {
        }
    }

    // Buffers have the same addresses in both. `bytes` are those of a vector, or of all pieces of a process.
    void allreduce(std::size_t bytes) {
        combine(own_ * (bytes / 2), bytes / 2);
        meet();
        read(output_.data() + (1 - own_) * (bytes / 2), output_.data() + (1 - own_) * (bytes / 2), bytes / 2);
    }
    void reduce_scatter(std::size_t bytes) { combine(own_ * (bytes / 2), bytes / 2); }
    void allgather(std::size_t bytes) {
        std::memcpy(output_.data() + own_ * (bytes / 2), input_.data(), bytes / 2);
        read(output_.data() + (1 - own_) * (bytes / 2), input_.data(), bytes / 2);
    }
    void bcast(std::size_t bytes) {
        if (own_ == 1) read(output_.data(), input_.data(), bytes);
    }
    void alltoall(std::size_t bytes) {
        const std::size_t half = bytes / 2;
        std::memcpy(output_.data() + own_ * half, input_.data() + own_ * half, half);
        read(output_.data() + (1 - own_) * half, input_.data() + own_ * half, half);
    }
    void copy(std::size_t bytes) { std::memcpy(output_.data(), input_.data(), bytes); }

private:
    /// Bytes at `theirs` in the other process.
    void read(std::byte* into, const std::byte* theirs, std::size_t bytes) const {
        while (bytes > 0) {
            const iovec local{into, bytes};
            const iovec remote{const_cast<std::byte*>(theirs), bytes};
            const ssize_t now = process_vm_readv(shared_.process[1 - own_], &local, 1, &remote, 1, 0);
            if (now <= 0) std::_Exit(EXIT_FAILURE);
            into += now;
            theirs += now;
            bytes -= static_cast<std::size_t>(now);
        }
    }

    /// Output [at, at + bytes) becomes the sum of both inputs.
    void combine(std::size_t at, std::size_t bytes) {
        alignas(64) static std::byte received[in_cache];
        for (const std::size_t end = at + bytes; at < end; at += in_cache) {
            const std::size_t now = std::min(in_cache, end - at);
            read(received, input_.data() + at, now);
            const auto* const theirs = reinterpret_cast<const float*>(received);
            const auto* const own = reinterpret_cast<const float*>(input_.data() + at);
            auto* const sums = reinterpret_cast<float*>(output_.data() + at);
            for (std::size_t i = 0; i < now / sizeof(float); ++i) sums[i] = own[i] + theirs[i];
        }
    }

    Shared& shared_;
    int own_ = 0;
    std::uint64_t met_ = 0;
    std::vector<std::byte> input_, output_;
};

struct Call {
    const char* name;
    void (Partner::*run)(std::size_t bytes);
};
constexpr Call calls[] = {
    {"allreduce", &Partner::allreduce}, {"reduce_scatter", &Partner::reduce_scatter},
    {"allgather", &Partner::allgather}, {"bcast", &Partner::bcast},
    {"alltoall", &Partner::alltoall},   {"copy", &Partner::copy},
};

/// In the second process: does as the first one says.
[[noreturn]] void follow(const Shared& shared, Partner& partner) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    partner.begin(1);
    for (;;) {
        partner.meet();
        const int call = shared.call.load(std::memory_order_relaxed);
        if (call < 0) std::_Exit(EXIT_SUCCESS);
        (partner.*calls[call].run)(shared.bytes.load(std::memory_order_relaxed));
        partner.meet();
    }
}

void lead(benchmark::State& state, Shared& shared, Partner& partner, int call) {
    const auto bytes = static_cast<std::size_t>(state.range(0));
    shared.call.store(call, std::memory_order_relaxed);
    shared.bytes.store(bytes, std::memory_order_relaxed);
    for (auto _ : state) {
        partner.meet();
        (partner.*calls[call].run)(bytes);
        partner.meet();
    }
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
    void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return EXIT_FAILURE;
    Shared& shared = *new (memory) Shared;
    Partner partner(shared);
    const pid_t other = fork();
    if (other < 0) return EXIT_FAILURE;
    if (other == 0) follow(shared, partner);
    partner.begin(0);
    for (int call = 0; call < static_cast<int>(std::size(calls)); ++call) {
        benchmark::RegisterBenchmark(calls[call].name,
                                     [&, call](benchmark::State& state) { lead(state, shared, partner, call); })
            ->RangeMultiplier(4)
            ->Range(in_cache, most_bytes)
            ->UseRealTime();
    }
    benchmark::RunSpecifiedBenchmarks();
    shared.call.store(-1, std::memory_order_relaxed);
    partner.meet();
    return waitpid(other, nullptr, 0) == other ? EXIT_SUCCESS : EXIT_FAILURE;
}
