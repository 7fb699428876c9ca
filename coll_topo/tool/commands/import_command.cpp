// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/import/import.hpp"
#include "coll_topo/import/lldp.hpp"
#include "coll_topo/import/merge.hpp"
#include "coll_topo/import/network_changes.hpp"
#include "coll_topo/import/source_lines.hpp"
#include "coll_topo/import/topology_text.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/output/output_file.hpp"
#include "coll_topo/tool/output/program_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <array>
#include <filesystem>
#include <memory>
#include <utility>

namespace coll_topo::tool {

namespace {

struct ImportOptions {
    std::string file;
    std::string output;
    std::string from;
    std::string names;
    std::string torus;
    std::string not_hosts;
    std::string slurm_conf;
    std::string topology;
    bool addresses = false;
    bool guids = false;
    bool collect = false;
    bool neighbours = false;
    std::vector<std::string> launcher;
    std::string merge;
    std::string check;
};

Expected<importing::ImportSettings> read_settings(const ImportOptions& options) {
    importing::ImportSettings settings;
    if (!options.names.empty()) {
        const auto text = importing::read_source(options.names);
        RETURN_IF_ERROR(text);
        RETURN_IF_ERROR(importing::read_name_map(*text, options.names, settings.naming));
    }
    if (!options.torus.empty()) {
        const auto text = importing::read_source(options.torus);
        RETURN_IF_ERROR(text);
        ASSIGN_OR_RETURN(settings.torus, importing::read_torus_conf(*text, options.torus));
    }
    if (!options.slurm_conf.empty()) {
        const auto text = importing::read_source(options.slurm_conf);
        RETURN_IF_ERROR(text);
        ASSIGN_OR_RETURN(settings.slurm_nodes, importing::read_slurm_conf(*text, options.slurm_conf));
    }
    settings.topology = options.topology;
    settings.naming.by_guid = options.guids;
    if (!options.not_hosts.empty()) {
        RETURN_IF_ERROR(
            for_each_name({options.not_hosts}, [&](std::string_view name, const Located&) -> Expected<void> {
                settings.naming.not_hosts.emplace(name);
                return {};
            }));
    }
    return settings;
}

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const importing::SourceKind& kind : importing::source_kinds()) names.emplace_back(kind.name);
    return names;
}

Expected<const importing::SourceKind*> find_kind(const ImportOptions& options, std::string_view text) {
    for (const importing::SourceKind& kind : importing::source_kinds()) {
        if (kind.name == options.from) return &kind;
    }
    if (const importing::SourceKind* const kind = importing::kind_of_source(text)) return kind;
    if (text.find("\"lldp\":") != std::string_view::npos) {
        return failure("what lldpctl prints does not say on which host; --collect asks it on every host",
                       {options.file});
    }
    std::string known;
    for (const importing::SourceKind& kind : importing::source_kinds()) {
        known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", kind.name, kind.meaning);
    }
    return failure("not recognised by its content; --from says what it is: " + known, {options.file, 1});
}

/// Fails on an option that says nothing of this kind of source.
Expected<void> check_options(const ImportOptions& options, const importing::SourceKind& kind) {
    const bool is_slurm = kind.name.starts_with("slurm");
    const std::string what = ", but " + options.file + " is " + std::string(kind.meaning);
    if (!options.torus.empty() && is_slurm) return failure("--torus says what torus cables are" + what);
    if (!options.topology.empty() && kind.name != "slurm-yaml")
        return failure("--topology is for topology.yaml" + what);
    if (!options.slurm_conf.empty() && !is_slurm) return failure("--slurm-conf is for names of Slurm" + what);
    return {};
}

/// Lines of a topology file that say where it comes from.
std::string commented(const std::string& text) {
    std::string lines;
    for (const std::string& line : lines_of_words(text, line_width - 2)) lines += "# " + line + '\n';
    return lines;
}

std::string file_text(const ImportOptions& options, const importing::SourceKind& kind,
                      const importing::RecognisedNetwork& network) {
    std::string text = commented(network.fabric.summary()) +
                       commented("Made by coll-topo import from " + options.file + ", " + std::string(kind.meaning) +
                                 ". Latencies are assumed; coll-topo calibrate measures them.");
    for (const Error& note : network.notes) text += commented("note: " + note.text());
    text += '\n' + importing::topology_text(network.fabric);
    if (options.addresses || options.guids)
        text += importing::host_address_lines(network.fabric.hosts, network.addresses);
    return text;
}

void report_notes(const importing::RecognisedNetwork& network, std::ostream& report) {
    report << wrapped(network.fabric.summary(), 2);
    for (const Error& note : network.notes) report << wrapped("note: " + note.text(), 2);
}

void report_changes(const std::vector<std::string>& changes, const std::string& file, std::ostream& report) {
    constexpr std::size_t most_shown = 100;
    for (std::size_t i = 0; i < changes.size() && i < most_shown; ++i) report << wrapped(changes[i], 2);
    if (changes.size() > most_shown) report << fmt::format("and {} more\n", changes.size() - most_shown);
    if (changes.empty()) report << wrapped(file + " has the same cables", 2);
}

/// Writes a text to the file of --output, or to standard output; gives where to report.
Expected<std::ostream*> write_result(const ImportOptions& options, const std::string& text, const Console& console) {
    if (options.output.empty()) {
        console.out << text;
        return &console.notes;
    }
    RETURN_IF_ERROR(write_file(options.output, text));
    return &console.out;
}

/// --merge and --check: the network beside a topology file that is there.
Expected<int> compare(const ImportOptions& options, importing::RecognisedNetwork network, const Console& console) {
    const bool only_checks = options.merge.empty();
    const std::string& file = only_checks ? options.check : options.merge;
    const auto text = importing::read_source(file);
    RETURN_IF_ERROR(text);
    ASSIGN_OR_RETURN(const auto before, read_topology_text(*text, file));
    if (auto* const graph = std::get_if<SwitchGraph>(&network.fabric.network)) {
        importing::take_switch_names(before.fabric, *graph, network.fabric.hosts);
    }
    const std::vector<std::string> changes = importing::network_changes(before.fabric, network.fabric);
    if (only_checks) {
        report_changes(changes, file, console.out);
        return changes.empty() ? exit_success : exit_finding;
    }
    ASSIGN_OR_RETURN(const auto merged, importing::merged_text(*text, file, before.fabric, network.fabric));
    ASSIGN_OR_RETURN(std::ostream* const report, write_result(options, merged, console));
    report_changes(changes, file, *report);
    return exit_success;
}

/// --neighbours: what --collect starts on each host.
Expected<int> print_neighbours(const Console& console) {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    const auto json = output_of({"lldpctl", "-f", "json"});
    const auto line = json ? importing::neighbour_line(*json, host.data(), importing::interface_facts)
                           : Expected<std::string>(failure(json.error().message));
    console.out << (line ? *line : importing::failure_line(host.data(), line.error().message)) << std::flush;
    return exit_success;
}

/// --collect: the lines of all hosts. The word after -- is where a file would be.
Expected<std::string> collect(ImportOptions& options, const Console& console) {
    std::vector<std::string> command = options.launcher;
    if (!options.file.empty()) command.insert(command.begin(), options.file);
    if (command.empty()) command = {"mpirun", "--map-by", "ppr:1:node"};
    std::error_code error;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
    command.insert(command.end(), {error ? "coll-topo" : own.string(), "import", "--neighbours"});
    console.notes << fmt::format("note: running {}\n", fmt::join(command, " ")) << std::flush;
    options.file = "lldpctl";
    options.from = "lldp";
    return output_of(command);
}

Expected<int> run(ImportOptions options, const Console& console) {
    if (options.neighbours) return print_neighbours(console);
    if (options.file.empty() && !options.collect) {
        return failure("give a FILE, such as what ibnetdiscover prints, or --collect; --help has examples");
    }
    if (!options.check.empty() && (!options.merge.empty() || !options.output.empty())) {
        return failure("--check only compares: leave out --merge and --output, or --check");
    }
    ASSIGN_OR_RETURN(const auto settings, read_settings(options));
    const auto source = options.collect ? collect(options, console) : importing::read_source(options.file);
    RETURN_IF_ERROR(source);
    ASSIGN_OR_RETURN(const auto* const kind, find_kind(options, *source));
    RETURN_IF_ERROR(check_options(options, *kind));
    ASSIGN_OR_RETURN(auto network, kind->read(*source, options.file, settings));
    if (!options.merge.empty() || !options.check.empty()) return compare(options, std::move(network), console);
    const std::string text = file_text(options, *kind, network);
    const std::string name = options.output.empty() ? options.file + " as a topology file" : options.output;
    RETURN_IF_ERROR(read_topology_text(text, name));
    ASSIGN_OR_RETURN(std::ostream* const report, write_result(options, text, console));
    report_notes(network, *report);
    return exit_success;
}

}  // namespace

Command import_command() {
    const auto options = std::make_shared<ImportOptions>();
    return {
        {"import",
         "Writes a topology file from what a site already has.",
         {{"FILE", "", "what another program has printed, or one of its files", &options->file},
          {"LAUNCHER", "WORDS", "after --collect --: starts a program once on each host; default: mpirun",
           &options->launcher},
          {"--from",
           "KIND",
           "what it is; default: recognised by its content",
           &options->from,
           {.limit = command_line::OneOf{kind_names()}}},
          {"--output", "OUT", "writes the topology file; default: standard output", &options->output},
          {"--merge", "CONF", "puts the network into this topology file, and keeps what a person wrote there",
           &options->merge},
          {"--check", "CONF", "writes nothing; exit status 1 if this topology file has other cables", &options->check},
          {"--collect", "", "instead of FILE: asks lldpctl on every host, for Ethernet", &options->collect},
          {"--neighbours", "", "prints what lldpctl says on this host, which --collect does on each",
           &options->neighbours},
          {"--addresses", "", "also writes GUIDs, MACs and IP addresses, by which hosts with other names are found",
           &options->addresses},
          {"--guids", "", "adapters whose descriptions name no host are hosts, which are found by their GUIDs",
           &options->guids},
          {"--names", "MAP", "lines GUID \"HOST HCA-1\" for adapters whose descriptions name no host", &options->names},
          {"--not-hosts", "HOSTLIST", "names to leave out, such as storage servers", &options->not_hosts},
          {"--topology", "NAME", "of several in topology.yaml; default: that with cluster_default", &options->topology},
          {"--slurm-conf", "CONF",
           "slurm.conf, where hosts have other names than nodes of Slurm, or for a flat topology",
           &options->slurm_conf},
          {"--torus", "CONF", "torus-2QoS.conf of OpenSM: the torus that the switches are", &options->torus}},
         {"coll-topo import ibnetdiscover.txt --output cluster.conf",
          "ibnetdiscover --ports | coll-topo import /dev/stdin --output cluster.conf",
          "coll-topo import ibnetdiscover.txt --torus /etc/opensm/torus-2QoS.conf --output cluster.conf",
          "coll-topo import /etc/slurm/topology.conf --output cluster.conf",
          "coll-topo import /etc/slurm/topology.yaml --slurm-conf /etc/slurm/slurm.conf --output cluster.conf",
          "coll-topo import /etc/slurm/slurm.conf --output cluster.conf",
          "scontrol show topology | coll-topo import /dev/stdin --output cluster.conf",
          "coll-topo import --collect --output cluster.conf -- mpirun --hostfile hosts --map-by ppr:1:node",
          "coll-topo import ibnetdiscover.txt --merge cluster.conf --output cluster.conf",
          "coll-topo import ibnetdiscover.txt --check cluster.conf"}},
        [options](const Console& console) { return run(*options, console); }};
}

}  // namespace coll_topo::tool
