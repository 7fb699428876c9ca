// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/cable_run.hpp"

#include "coll_topo/acceptance/partial_measurement.hpp"
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/input/wording.hpp"
#include "coll_topo/measure/cable_probe.hpp"
#include "coll_topo/measure/result_output.hpp"
#include "coll_topo/mpi_run/mpi_version.hpp"
#include "coll_topo/mpi_run/rank_hosts.hpp"
#include "coll_topo/tool/accept/measured_cables.hpp"

#include <mpi.h>
#include <time.h>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>

namespace coll_topo::bench {

namespace {

/// Where messages do not pass, processes could not end together, and the job has to be ended from here.
[[noreturn]] void end_job(int status) {
    const timespec time{1, 0};  // for mpirun to pass on what was written
    nanosleep(&time, nullptr);
    MPI_Abort(MPI_COMM_WORLD, status);
    std::exit(status);
}

int complain(const std::string& text) {
    std::cerr << "coll-topo-measure: " << text << std::endl;
    return wrong;
}

/// The first rank of the leading host.
Expected<int> leading_rank(const std::string& leader, const Fabric& fabric, const std::vector<int>& host_of_rank) {
    if (leader.empty()) return 0;
    const int host = fabric.hosts.find(leader);
    const auto rank = std::find(host_of_rank.begin(), host_of_rank.end(), host);
    if (rank == host_of_rank.end()) return failure("no rank runs on the leading host " + in_quotes(leader));
    return static_cast<int>(rank - host_of_rank.begin());
}

bool all_measured(const acceptance::CableMeasurement& measured) {
    const auto has_gap = [](const std::vector<double>& results) {
        return std::any_of(results.begin(), results.end(), [](double result) { return result <= 0; });
    };
    return !has_gap(measured.latency) && !has_gap(measured.alone) && !has_gap(measured.together);
}

}  // namespace

int run_cables(const CableOptions& options, const Fabric& fabric, const std::vector<int>& host_of_rank) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const auto leader = leading_rank(options.leader, fabric, host_of_rank);
    if (!leader) return complain(leader.error().text());
    LinkGraph graph(fabric);
    const std::set<int> hosts(host_of_rank.begin(), host_of_rank.end());
    const auto plan = acceptance::make_cable_plan(fabric, graph, {hosts.begin(), hosts.end()});
    tool::MeasuredCables cables;
    cables.network = fabric.summary();
    cables.mpi = mpi_version();
    for (const int host : hosts) cables.hosts.emplace_back(fabric.hosts.name(host));
    cables.rounds = acceptance::number_of_rounds(plan);
    cables.first_round = std::min(options.first_round, cables.rounds);
    ProbeSettings settings{options.seconds_of_round, options.first_round, *leader};
    settings.begin = [&](const std::string& what) {
        if (options.progress) std::cerr << "coll-topo-measure: " << what << std::endl;
    };
    settings.ended = [&](const acceptance::CableMeasurement& so_far, int rounds) {
        cables.measured = so_far;
        cables.rounds_done = rounds;
        if (options.each_round) std::cout << measured_cables_json(cables, fabric) << std::flush;
    };
    settings.waits = [&] {
        const int host = host_of_rank[static_cast<std::size_t>(rank)];
        if (options.each_round) std::cout << tool::waiting_line(fabric.hosts.name(host)) << std::flush;
    };
    cables.measured = probe_cables(MPI_COMM_WORLD, plan, graph, host_of_rank, settings);
    if (rank != *leader) return success;
    cables.rounds_done = cables.rounds;
    const auto error = write_results(measured_cables_json(cables, fabric), options.output);
    const int status = error ? complain(error->text()) : static_cast<int>(success);
    if (!cables.measured.silent.empty() || (options.first_round == 0 && !all_measured(cables.measured)))
        end_job(status);
    return status;
}

/// Whoever has another file must not wait for others, whom it may not reach.
int run_cables_with_given_hosts(const CableOptions& options, const std::string& topology, int ranks) {
    const auto file = read_topology_file(topology);
    std::vector<std::string> names;
    for (const std::string_view name : split(options.rank_hosts, ',')) names.emplace_back(name);
    const auto hosts = file ? hosts_by_name(file->fabric, names) : tl::unexpected<Error>(file.error());
    if (hosts && static_cast<int>(hosts->size()) == ranks) return run_cables(options, file->fabric, *hosts);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    end_job(complain("rank " + std::to_string(rank) + ": " +
                     (hosts ? "--rank-hosts has not as many names as there are ranks" : hosts.error().text())));
}

}  // namespace coll_topo::bench
