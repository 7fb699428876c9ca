// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/wording.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/output/format_option.hpp"
#include "coll_topo/tool/output/output_file.hpp"
#include "coll_topo/tool/place/place_comparison.hpp"
#include "coll_topo/tool/place/place_report.hpp"
#include "coll_topo/tool/scenario/scenario_options.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace coll_topo::tool {

namespace {

struct PlaceOptions {
    std::string file;
    int ranks = 0;
    int ranks_per_host = 1;
    std::string hosts_free;
    std::string rule = "auto";
    std::vector<double> weights;
    int columns = 0;
    std::uint64_t seed = 1;
    std::string bytes = "1KiB,1MiB,64MiB";
    std::string hostfile;
    std::string rankfile;
    bool hosts_only = false;
    Format format = Format::text;
};

Expected<std::vector<std::int32_t>> free_hosts(const Fabric& fabric, const PlaceOptions& options) {
    std::vector<std::int32_t> hosts(fabric.hosts.size());
    std::iota(hosts.begin(), hosts.end(), 0);
    if (options.hosts_free.empty()) return hosts;
    const auto listed = find_hosts(fabric, options.file, options.hosts_free);
    if (!listed) return failure("--hosts-free: " + listed.error().message);
    hosts.assign(listed->begin(), listed->end());
    std::sort(hosts.begin(), hosts.end());
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    return hosts;
}

Expected<Job> read_job(const Fabric& fabric, const PlaceOptions& options) {
    constexpr int most_ranks_per_host = 1024, most_ranks = 1 << 24;
    if (options.ranks_per_host < 1 || options.ranks_per_host > most_ranks_per_host) {
        return failure("--ranks-per-host must be from 1 to 1024, not " + std::to_string(options.ranks_per_host));
    }
    if (options.ranks < 1 || options.ranks > most_ranks) {
        return failure("--ranks must be from 1 to " + std::to_string(most_ranks) + ", not " +
                       std::to_string(options.ranks));
    }
    if (options.columns < 0) return failure("--columns must be 1 or more, or 0 to choose");
    auto free = free_hosts(fabric, options);
    RETURN_IF_ERROR(free);
    Job job;
    job.hosts = (options.ranks + options.ranks_per_host - 1) / options.ranks_per_host;
    job.free_hosts = std::move(*free);
    job.columns = options.columns;
    job.seed = options.seed;
    if (!options.weights.empty()) {
        const auto& given = options.weights;
        const bool wrong = std::any_of(given.begin(), given.end(), [](double weight) { return !(weight >= 0); });
        if (wrong || !(std::accumulate(given.begin(), given.end(), 0.0) > 0)) {
            return failure("--weights must be three numbers, none below 0 and not all 0");
        }
        job.weights = {given[0], given[1], given[2]};
    }
    return job;
}

/// The rule that the user names, or else the first that suits the network and can be met.
Expected<const PlacementRule*> choose_rule(const std::string& name, const JobSite& site, const Job& job,
                                           const Console& console) {
    if (name != "auto") {
        if (const PlacementRule* const rule = find_placement_rule(name)) return rule;
        std::vector<std::string_view> names = {"auto", "list"};
        for (const PlacementRule& rule : placement_rules()) names.push_back(rule.name);
        return failure("no rule " + in_quotes(name) + "; there are: " + alternatives(names));
    }
    const PlacementRule* best = nullptr;
    for (const PlacementRule& rule : placement_rules()) {
        if (!rule.suits(site)) continue;
        if (best == nullptr) best = &rule;
        if (static_cast<std::size_t>(job.hosts) > job.free_hosts.size()) break;
        if (rule.place(site, job)) return &rule;
        console.notes << "note: rule " << rule.name << " cannot be met on the free hosts; trying the next\n";
    }
    return best;
}

Expected<std::vector<std::int64_t>> read_sizes(const std::string& list) {
    std::vector<std::int64_t> sizes;
    for (const std::string_view item : split(list, ',')) {
        const auto size = parse_bytes(Located{item});
        if (!size) return failure("--bytes: " + size.error().message);
        sizes.push_back(*size);
    }
    return sizes;
}

Expected<void> write_launch_files(const PlaceOptions& options, const std::vector<HostRanks>& hosts) {
    if (!options.hostfile.empty()) {
        RETURN_IF_ERROR(write_file(options.hostfile, hostfile_text(hosts)));
    }
    if (!options.rankfile.empty()) return write_file(options.rankfile, rankfile_text(hosts));
    return {};
}

std::vector<std::string> names_of(const Fabric& fabric, const std::vector<std::int32_t>& hosts) {
    std::vector<std::string> names;
    for (const std::int32_t host : hosts) names.emplace_back(fabric.hosts.name(host));
    return names;
}

void list_rules(const JobSite& site, Format format, std::ostream& out) {
    const Table table = rule_table(site);
    if (format == Format::text) return table.write_text(out);
    if (format == Format::csv) return table.write_csv(out);
    JsonWriter json(out);
    json.member("version", 1);
    table.write_json(json, "rules");
}

Expected<int> place(const PlaceOptions& options, const Console& console) {
    const auto file = read_topology_file(options.file);
    RETURN_IF_ERROR(file);
    const Fabric& fabric = file->fabric;
    if (options.rule == "list") {
        list_rules(JobSite(fabric, {}), options.format, console.out);
        return exit_success;
    }
    const auto job = read_job(fabric, options);
    RETURN_IF_ERROR(job);
    const JobSite site(fabric, job->free_hosts);
    const auto rule = choose_rule(options.rule, site, *job, console);
    RETURN_IF_ERROR(rule);
    auto placement = place_job(**rule, site, *job);
    RETURN_IF_ERROR(placement);
    const auto hosts = names_of(fabric, placement->hosts);
    const auto ranks = assign_ranks(hosts, options.ranks, options.ranks_per_host);
    RETURN_IF_ERROR(write_launch_files(options, ranks));
    if (options.hosts_only) {
        console.out << hostlist_text(hosts) << "\n";
        return exit_success;
    }
    PlaceReport report{fabric.summary(),
                       options.ranks,
                       options.ranks_per_host,
                       static_cast<int>(job->free_hosts.size()),
                       *rule,
                       std::move(*placement),
                       ranks,
                       {},
                       {},
                       {}};
    report.surplus = names_of(fabric, report.placement.surplus);
    auto sizes = read_sizes(options.bytes);
    RETURN_IF_ERROR(sizes);
    report.bytes = std::move(*sizes);
    auto expected = compare_placements({*file, options.file, site, *job, options.ranks, options.ranks_per_host},
                                       report.placement, report.bytes);
    RETURN_IF_ERROR(expected);
    report.expected = std::move(*expected);
    report.write(options.format, console.out);
    return exit_success;
}

}  // namespace

Command place_command() {
    const auto options = std::make_shared<PlaceOptions>();
    return {
        {"place",
         "Chooses hosts for a job, and writes a hostfile and a rankfile for mpirun.",
         {{"FILE", "", "the topology file, see coll-topo.conf(5)", &options->file, {.required = true}},
          {"--ranks", "N", "ranks of the job", &options->ranks},
          {"--ranks-per-host", "K", "consecutive ranks on each host; default: 1", &options->ranks_per_host},
          {"--hosts-free", "LIST", "the hosts that it may have, such as n[00-07]; default: all", &options->hosts_free},
          {"--rule", "RULE", "how to choose; auto (default): the first that suits the network; list: shows all rules",
           &options->rule},
          {"--weights",
           "P,U,S",
           "how much phases, use and position count for the value of a submesh; default: 8,2,1",
           &options->weights,
           {.count = 3}},
          {"--columns", "C", "columns of rule grow; default: as many as rows", &options->columns},
          {"--seed", "S", "of the random hosts; default: 1", &options->seed},
          {"--bytes", "N,...", "sizes to predict times for; default: 1KiB,1MiB,64MiB", &options->bytes},
          {"--hostfile", "OUT", "writes a hostfile for mpirun --hostfile", &options->hostfile},
          {"--rankfile", "OUT", "writes a rankfile for mpirun --rankfile", &options->rankfile},
          {"--hosts-only", "", "prints nothing but the hosts, as --hosts takes them", &options->hosts_only},
          format_option(options->format)},
         {"coll-topo place cluster.conf --ranks 64 --hostfile job.hosts", "coll-topo place cluster.conf --rule list"}},
        [options](const Console& console) { return place(*options, console); }};
}

}  // namespace coll_topo::tool
