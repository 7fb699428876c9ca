// SPDX-License-Identifier: BSD-3-Clause
// What planning costs on a large machine: reading its topology file, making the grid of a communicator on all hosts,
// and building the program of one rank. Dims as arguments; 46x47x48 (103 776 hosts) without.
#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/input/topology_file.hpp"

#include <malloc.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

namespace {

using namespace coll_topo;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Bytes in use on the heap, including large blocks that are mapped.
double heap_bytes() {
    const auto info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// Runs `work`, prints its time and the memory that its result keeps, and returns the result.
template <typename Work>
auto measured(const std::string& title, Work work) {
    const double heap = heap_bytes(), begin = now();
    auto result = work();
    const double seconds = now() - begin;
    std::printf("%-72s %10.3f ms %9.2f MB\n", title.c_str(), seconds * 1e3, (heap_bytes() - heap) / 1e6);
    return result;
}

/// A file on disk, as a user has it. Removed at the end.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& text) {
        if (const int file = mkstemp(name_); file >= 0) {
            std::ofstream(name_) << text;
            std::fclose(fdopen(file, "r"));
        }
    }
    ~TemporaryFile() { std::remove(name_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const char* name() const { return name_; }

private:
    char name_[32] = "/tmp/coll-topo-bench-XXXXXX";
};

void build_programs(const Grid& grid, int lanes) {
    const int rank = grid.ranks() / 2;
    for (const Algorithm& algorithm : catalogue()) {
        for (int number = 0; number < collective_count; ++number) {
            const Problem problem{static_cast<Collective>(number), grid.natural_aggregators(),
                                  algorithm.uses_lanes ? lanes : 1};
            if (!algorithm.serves(problem.collective) || !algorithm.refusal(grid, problem).empty()) continue;
            const std::string title = std::string(collective_name(problem.collective)) + " by " +
                                      std::string(algorithm.name) + ", " + std::to_string(problem.lanes) + " lane(s)";
            const Program program = measured(title, [&] { return algorithm.build(grid, problem, rank); });
            std::printf("%-72s %10zu steps, %zu actions\n", "", program.steps.size(), program.actions.size());
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string dims = argc > 1 ? argv[1] : "46x47x48";
    const int hosts = argc > 2 ? std::atoi(argv[2]) : 46 * 47 * 48;
    const TemporaryFile path("TorusName=t0 Dims=" + dims + " Nodes=n[000000-" +
                             (std::to_string(1000000 + hosts - 1)).substr(1) + "] Bandwidth=6.8GB/s Latency=0.5us\n");

    const auto file = measured("read the topology file of " + std::to_string(hosts) + " hosts",
                               [&] { return read_topology_file(path.name()); });
    if (!file) {
        std::fprintf(stderr, "%s\n", file.error().text().c_str());
        return EXIT_FAILURE;
    }
    measured("digest", [&] { return file->fabric.digest(); });

    for (const int ranks_per_host : {1, 4}) {
        Placement placement(static_cast<std::size_t>(hosts) * ranks_per_host);
        for (std::size_t rank = 0; rank < placement.size(); ++rank) {
            placement[rank].host = static_cast<std::int32_t>(rank / ranks_per_host);
        }
        const auto grid = measured("grid of " + std::to_string(placement.size()) + " ranks",
                                   [&] { return Grid::from_torus(file->fabric, placement); });
        if (!grid) {
            std::fprintf(stderr, "%s\n", grid.error().text().c_str());
            return EXIT_FAILURE;
        }
        const int axes = static_cast<int>(grid->axes().size());
        build_programs(*grid, 1);
        build_programs(*grid, 2 * axes);
    }
    return EXIT_SUCCESS;
}
