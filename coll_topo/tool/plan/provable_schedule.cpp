// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/plan/provable_schedule.hpp"

#include "coll_topo/verify/memory_need.hpp"

#include <fmt/format.h>
#include <fstream>
#include <string>
#include <utility>

namespace coll_topo::tool {

std::optional<std::int64_t> available_memory() {
    std::ifstream facts("/proc/meminfo");
    for (std::string line; std::getline(facts, line);) {
        constexpr std::string_view key = "MemAvailable:";
        if (line.starts_with(key)) return std::stoll(line.substr(key.size())) * 1024;
    }
    return {};
}

Error out_of_memory(const Scenario& scenario, const std::string& need) {
    return {
        fmt::format("not proved, as it takes more memory than there is{}: {} ranks; use a machine with more, or "
                    "prove it on fewer hosts (--hosts) or fewer ranks of a host (--ranks-per-host)",
                    need, scenario.grid.ranks())};
}

Expected<Schedule> build_provable_schedule(const Scenario& scenario, const Candidate& candidate,
                                           std::optional<std::int64_t> available) {
    const int ranks = scenario.grid.ranks();
    Schedule schedule;
    schedule.reserve(ranks);
    std::int64_t needed = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        Program program = candidate.algorithm->build(scenario.grid, candidate.problem, rank);
        needed += bytes_to_prove(scenario.request.collective(), program, rank, ranks);
        if (available && needed > *available) {
            const double all = static_cast<double>(needed) * ranks / (rank + 1);
            return tl::unexpected<Error>(out_of_memory(
                scenario, fmt::format(" (about {} of {})", bytes_text(all), bytes_text(double(*available)))));
        }
        schedule.push_back(std::move(program));
    }
    return schedule;
}

}  // namespace coll_topo::tool
