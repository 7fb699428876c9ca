// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/session.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/mpi_run/mpi_version.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <iostream>
#include <set>

namespace coll_topo::bench {

namespace {

constexpr double usable_share_of_memory = 0.8;

/// Elements that input and output may need.
std::size_t most_elements(const Options& options, const Bench& bench) {
    std::size_t most = 1;
    for (const Operation* const operation : options.collectives) {
        const int pieces = bench.pieces(*operation);
        for (const std::size_t elements : element_counts(options, *operation, pieces)) {
            most = std::max(most, elements * static_cast<std::size_t>(operation->has_pieces ? pieces : 1));
        }
    }
    return most;
}

int ranks_on_this_machine(const Bench& bench) {
    const std::uint64_t own = clock_identity();
    std::vector<std::uint64_t> identities(static_cast<std::size_t>(bench.ranks));
    MPI_Allgather(&own, 1, MPI_UINT64_T, identities.data(), 1, MPI_UINT64_T, bench.communicator);
    return static_cast<int>(std::count(identities.begin(), identities.end(), own));
}

double memory_of_this_machine() {
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::vector<std::string> host_names(const Bench& bench) {
    using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
    Name own{};
    int length = 0;
    MPI_Get_processor_name(own.data(), &length);
    std::vector<Name> all(bench.rank == 0 ? static_cast<std::size_t>(bench.ranks) : 0);
    MPI_Gather(own.data(), sizeof own, MPI_CHAR, all.data(), sizeof own, MPI_CHAR, 0, bench.communicator);
    std::vector<std::string> names;
    for (const Name& name : all) names.emplace_back(name.data());
    return names;
}

Expected<std::vector<Contest>> contests_for(const Options& options, const Bench& bench) {
    if (options.root >= bench.ranks) {
        return failure("--root " + std::to_string(options.root) + ": there " + (bench.ranks == 1 ? "is " : "are ") +
                       counted(bench.ranks, "rank", "ranks"));
    }
    std::vector<Contest> contests;
    for (const Operation* const operation : options.collectives) {
        ASSIGN_OR_RETURN(auto components, components_for(options.components, *operation, bench.variables));
        if (!components.empty()) contests.push_back({operation, std::move(components)});
    }
    return contests;
}

Expected<void> make_buffers(const Options& options, Bench& bench) {
    const std::size_t elements = most_elements(options, bench);
    const double needed = 2.0 * static_cast<double>(elements * sizeof(Element)) * ranks_on_this_machine(bench);
    const int fits = needed <= usable_share_of_memory * memory_of_this_machine();
    int fits_everywhere = 0;
    MPI_Allreduce(&fits, &fits_everywhere, 1, MPI_INT, MPI_MIN, bench.communicator);
    if (fits_everywhere == 0) {
        return failure(
            "the largest size does not fit into the memory of a machine, twice for each rank there; "
            "give smaller --sizes");
    }
    bench.buffers.input.resize(elements);
    bench.buffers.output.resize(elements);
    return {};
}

std::vector<std::size_t> element_counts(const Options& options, const Operation& operation, int pieces) {
    std::vector<std::size_t> counts;
    for (const std::int64_t bytes : options.sizes) {
        const std::size_t count = elements_for(operation, bytes, pieces);
        if (std::find(counts.begin(), counts.end(), count) == counts.end()) counts.push_back(count);
    }
    return counts;
}

Expected<std::optional<Network>> find_network(const Options& options, const Bench& bench,
                                              const std::vector<std::string>& hosts) {
    const std::string of_topo = bench.variables.text("coll_topo_topology_file").value_or("");
    const std::string file = options.topology.empty() ? of_topo : options.topology;
    if (file.empty()) return std::nullopt;
    PlacementParameters parameters;
    parameters.place = bench.variables.text("coll_topo_place").value_or(parameters.place);
    parameters.ranks_per_host = bench.variables.number("coll_topo_ranks_per_host").value_or(parameters.ranks_per_host);
    auto network = Network::make(file, parameters, hosts);
    if (network) return std::move(*network);
    if (options.topology.empty()) return std::nullopt;
    return failure("no bounds from --topology: " + network.error().text());
}

RunFacts facts_of(const Options& options, const Bench& bench, const std::vector<Contest>& contests,
                  const std::vector<std::string>& hosts) {
    RunFacts facts;
    facts.ranks = bench.ranks;
    facts.hosts = static_cast<int>(std::set(hosts.begin(), hosts.end()).size());
    facts.mpi = mpi_version();
    facts.in_place = options.in_place;
    facts.root = options.root;
    facts.back_to_back = options.back_to_back;
    facts.command = options.command;
    facts.fixed.lanes = bench.variables.number("coll_topo_lanes").value_or(0);
    facts.fixed.segments = bench.variables.number("coll_topo_segments").value_or(0);
    facts.fixed.aggregators = bench.variables.number("coll_topo_aggregators").value_or(0);
    for (const Contest& contest : contests) {
        for (const ComponentName& name : contest.components) {
            const std::string text = name.text();
            if (std::find(facts.components.begin(), facts.components.end(), text) == facts.components.end()) {
                facts.components.push_back(text);
            }
        }
    }
    return facts;
}

std::vector<Component> make_components(const Contest& contest, const Bench& bench) {
    std::vector<Component> components;
    for (const ComponentName& name : contest.components) {
        auto component =
            Component::make(name, *contest.operation, bench.variables, bench.communicator, &*bench.cartesian);
        if (component) {
            components.push_back(std::move(*component));
        } else if (bench.rank == 0) {
            std::cerr << "coll-topo-bench: " << contest.operation->name << ": " << component.error().message
                      << "; left out" << std::endl;
        }
    }
    return components;
}

void report_wrong(std::string_view collective, std::int64_t bytes, const std::string& component,
                  const Measurement& seen) {
    if (!seen.first_wrong) return;
    const WrongResult& wrong = *seen.first_wrong;
    std::cerr << "coll-topo-bench: " << collective << " of " << bytes << " bytes with " << component
              << ": wrong result in " << seen.wrong_calls << " of " << seen.calls << " calls; first on rank "
              << wrong.rank << ", element " << wrong.outcome.index << ": " << wrong.outcome.found << " instead of "
              << wrong.outcome.expected << std::endl;
}

bool agreed(bool well, const Bench& bench) {
    int word = well;
    MPI_Bcast(&word, 1, MPI_INT, 0, bench.communicator);
    return word != 0;
}

}  // namespace coll_topo::bench
