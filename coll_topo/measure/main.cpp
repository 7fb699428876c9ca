// SPDX-License-Identifier: BSD-3-Clause
// coll-topo-measure: measures what coll_topo predicts times from. See coll-topo-measure(1).
#include "coll_topo/command_line/command_line.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/measure/cable_run.hpp"
#include "coll_topo/measure/cluster_costs.hpp"
#include "coll_topo/measure/host_facts.hpp"
#include "coll_topo/measure/result_matrix.hpp"
#include "coll_topo/measure/result_output.hpp"
#include "coll_topo/mpi_run/component.hpp"
#include "coll_topo/mpi_run/mpi_version.hpp"
#include "coll_topo/mpi_run/rank_hosts.hpp"

#include <array>
#include <iostream>
#include <limits>
#include <optional>

namespace coll_topo::bench {
namespace {

struct Options {
    std::string topology;
    std::string output;
    MeasuringLimits limits;
    bool hosts = false;
    bool results = false;
    bool cables = false;
    CableOptions cable_options;
    bool progress = false;
};

/// The options, or what main() is to return at once. Rank 0 prints the messages.
std::optional<Options> parse_command_line(int argc, char** argv, int rank, int& status) {
    using command_line::Between, command_line::Sign;
    Options options;
    const command_line::Usage usage{
        "coll-topo-measure",
        "Measures what coll_topo predicts times from. Start it with mpirun, two ranks on each host.",
        "coll-topo-measure " COLL_TOPO_VERSION,
        "Exit status: 0 all well; 1 something could not be done; 2 the command line is not understood.\n"
        "See coll-topo-measure(1).",
        {{"FILE", "", "the topology file, see coll-topo.conf(5)", &options.topology, {.required = true}},
         {"--output", "OUT", "writes the results to a file", &options.output},
         {"--seconds",
          "",
          "how long to measure, about",
          &options.limits.seconds,
          {.limit = Sign::positive, .default_in_help = true}},
         {"--trials",
          "",
          "how often to measure each thing, at most",
          &options.limits.trials,
          {.limit = Between{1, 1000}, .default_in_help = true}},
         {"--hosts", "", "says what every host is like, for coll-topo accept", &options.hosts},
         {"--results", "", "compares results of coll_topo with those of others, for coll-topo accept",
          &options.results},
         {"--cables", "", "tests every cable, for coll-topo accept, rather than what times are predicted from",
          &options.cables},
         {"--round-limit",
          "S",
          "with --cables: seconds after which a round ends, and who has not answered is left out",
          &options.cable_options.seconds_of_round,
          {.limit = Sign::positive, .default_in_help = true}},
         {"--first-round",
          "N",
          "with --cables: leaves out so many rounds, which were done before",
          &options.cable_options.first_round,
          {.limit = Between{0, 1e9}}},
         {"--rank-hosts", "NAMES",
          "with --cables: the host of each rank, with commas, where ranks may not all reach each other",
          &options.cable_options.rank_hosts},
         {"--leader", "HOST",
          "with --cables: the host whose first rank gives orders and writes; default: that of rank 0",
          &options.cable_options.leader},
         {"--each-round", "", "with --cables: writes the results so far, as a line, after every round",
          &options.cable_options.each_round},
         {"--progress", "", "says on standard error what is being measured", &options.progress}}};
    const auto parsed = command_line::read(usage, argc, argv);
    if (parsed && parsed->text.empty()) return options;
    status = parsed ? success : command_line_error;
    if (rank != 0) return std::nullopt;
    if (parsed) {
        std::cout << parsed->text << std::flush;
    } else {
        std::cerr << parsed.error().message << "\n" << command_line::hint << std::endl;
    }
    return std::nullopt;
}

/// The name of every rank's host, on all ranks.
std::vector<std::string> host_names(int ranks) {
    using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
    Name own{};
    int length = 0;
    MPI_Get_processor_name(own.data(), &length);
    std::vector<Name> all(static_cast<std::size_t>(ranks));
    MPI_Allgather(own.data(), sizeof own, MPI_CHAR, all.data(), sizeof own, MPI_CHAR, MPI_COMM_WORLD);
    std::vector<std::string> names;
    for (const Name& name : all) names.emplace_back(name.data());
    return names;
}

/// Whether all is well on all ranks; if not, the first on which it is not says why.
bool well_everywhere(const std::optional<Error>& error, int rank) {
    const int own = error ? rank : std::numeric_limits<int>::max();
    int first = 0;
    MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (error && first == rank) std::cerr << "coll-topo-measure: " << error->text() << std::endl;
    return first == std::numeric_limits<int>::max();
}

/// Ranks whose files mean different networks would wait for each other for ever.
std::optional<Error> check_same(const Fabric& fabric) {
    const std::uint64_t own = fabric.digest();
    std::uint64_t least = 0, most = 0;
    MPI_Allreduce(&own, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (least == most) return std::nullopt;
    return Error{"the topology file describes another network on some hosts than on others"};
}

int run_hosts(const Options& options, const std::vector<std::string>& names, int rank) {
    const Variables variables;
    const std::string json = host_facts_json(MPI_COMM_WORLD, names, variables, options.topology);
    const auto error = rank == 0 ? write_results(json, options.output) : std::nullopt;
    return well_everywhere(error, rank) ? success : wrong;
}

int run_results(const Options& options, const Fabric& fabric, const std::vector<int>& host_of_rank, int rank) {
    Variables variables;
    MPI_Comm without_topo = duplicate(MPI_COMM_WORLD, "^topo");
    std::optional<Error> error;
    const auto begin = [&](const std::string& what) {
        if (rank == 0 && options.progress) std::cerr << "coll-topo-measure: " << what << std::endl;
    };
    const auto write = [&](const std::string& json) { error = write_results(json, options.output); };
    check_results(without_topo, variables, fabric, host_of_rank, begin, write);
    MPI_Comm_free(&without_topo);
    return well_everywhere(error, rank) ? success : wrong;
}

int run(const Options& options, int rank, int ranks) {
    CableOptions cable_options = options.cable_options;
    cable_options.output = options.output;
    cable_options.progress = options.progress;
    if (options.cables && !cable_options.rank_hosts.empty()) {
        return run_cables_with_given_hosts(cable_options, options.topology, ranks);
    }
    const auto file = read_topology_file(options.topology);
    if (!well_everywhere(file ? std::nullopt : std::optional(file.error()), rank)) return wrong;
    const std::vector<std::string> names = host_names(ranks);
    const auto hosts = hosts_by_name(file->fabric, names);
    if (!well_everywhere(hosts ? std::nullopt : std::optional(hosts.error()), rank)) return wrong;
    if (!well_everywhere(check_same(file->fabric), rank)) return wrong;
    if (options.hosts) return run_hosts(options, names, rank);
    if (options.results) return run_results(options, file->fabric, *hosts, rank);
    if (options.cables) return run_cables(cable_options, file->fabric, *hosts);
    const MeasuringPlan plan = make_measuring_plan(file->fabric, *hosts);
    tool::MeasuredCosts costs;
    costs.network = file->fabric.summary();
    costs.mpi = mpi_version();
    costs.hosts = static_cast<int>(plan.speakers.size());
    const auto begin = [&](const std::string& what) {
        if (rank == 0 && options.progress) std::cerr << "coll-topo-measure: " << what << std::endl;
    };
    measure_cluster(MPI_COMM_WORLD, plan, file->fabric.torus() != nullptr, options.limits, begin, costs);
    const auto error = rank == 0 ? write_results(tool::measured_json(costs), options.output) : std::nullopt;
    return well_everywhere(error, rank) ? success : wrong;
}

}  // namespace
}  // namespace coll_topo::bench

int main(int argc, char** argv) {
    using namespace coll_topo::bench;
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1, status = success;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (const auto options = parse_command_line(argc, argv, rank, status)) status = run(*options, rank, ranks);
    MPI_Finalize();
    return status;
}
