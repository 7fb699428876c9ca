// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/command.hpp"
#include "coll_topo/tool/network_family.hpp"
#include "coll_topo/tool/progress.hpp"
#include "coll_topo/tool/scenario.hpp"
#include "coll_topo/tool/table.hpp"
#include "coll_topo/verify/rounds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

namespace coll_topo::tool {

namespace {

constexpr int usual_segments = 3;  // enough for all cases of a pipeline: first, middle, last

struct ProveOptions {
    ScenarioOptions scenario;
    std::string family;
    std::vector<std::string> collectives;
    Format format = Format::text;
};

/// The collectives to prove: those asked for, or all that the algorithm serves.
Expected<std::vector<Collective>> wanted_collectives(const ProveOptions& options) {
    std::vector<Collective> wanted;
    for (const std::string& name : options.collectives) {
        const auto collective = find_collective(name);
        if (!collective) return tl::unexpected<Error>(collective.error());
        wanted.push_back(*collective);
    }
    if (!wanted.empty()) return wanted;
    const Algorithm* const row = find_algorithm(options.scenario.algorithm);
    for (int index = 0; index < collective_count; ++index) {
        const auto collective = static_cast<Collective>(index);
        // An unknown name is left to make_scenario, which lists those there are.
        if (row == nullptr || row->serves(collective)) wanted.push_back(collective);
    }
    return wanted;
}

Expected<std::vector<FamilyMember>> wanted_networks(const ProveOptions& options) {
    if (!options.family.empty()) return make_family(options.family);
    auto file = read_topology_file(options.scenario.file);
    if (!file) return tl::unexpected<Error>(file.error());
    std::vector<FamilyMember> networks;
    networks.push_back({options.scenario.file, std::move(*file)});
    return networks;
}

std::string short_list(const std::vector<int>& numbers) {
    constexpr std::size_t most = 12;
    const auto end = numbers.begin() + static_cast<std::ptrdiff_t>(std::min(most, numbers.size()));
    return fmt::format("{}{}", fmt::join(numbers.begin(), end, " "), numbers.size() > most ? " ..." : "");
}

class Prover {
public:
    Prover()
        : table_({{"network", "network"},
                  {"ranks", "ranks"},
                  {"collective", "collective"},
                  {"algorithm", "algorithm"},
                  {"rounds", "rounds"},
                  {"messages", "messages"},
                  {"messages_by_round", "by round"},
                  {"busiest_round", "busiest round"},
                  {"busiest_link", "busiest link"},
                  {"proved", "proved"},
                  {"finding", "finding"}}) {}

    /// Proves every way to serve the request that is not refused.
    void run(const std::string& name, const Scenario& scenario, LinkGraph& network) {
        for (const Candidate& candidate : examine(scenario).candidates) {
            if (is_predicted(candidate)) prove_one(name, scenario, candidate, network);
        }
    }

    int proved() const { return proved_; }
    int failed() const { return failed_; }
    const Table& table() const { return table_; }

private:
    void prove_one(const std::string& name, const Scenario& scenario, const Candidate& candidate, LinkGraph& network) {
        const Schedule schedule = build_schedule(scenario, candidate);
        const bool in_order = candidate.algorithm->in_order(scenario.grid, candidate.problem);
        const auto outcome = prove(scenario.request.collective, schedule, in_order, candidate.problem.root);
        outcome ? ++proved_ : ++failed_;
        std::vector<int> messages;
        const auto rounds = find_rounds(schedule);  // fails only where the proof does
        const auto loads = rounds ? link_load(*rounds, schedule, network, scenario.placement) : std::vector<StepLoad>();
        for (const StepLoad& load : loads) messages.push_back(load.messages);
        const auto busiest = std::max_element(
            loads.begin(), loads.end(), [](const StepLoad& a, const StepLoad& b) { return a.messages < b.messages; });
        const bool used = busiest != loads.end() && busiest->busiest_link >= 0;
        table_.add({name, scenario.grid.ranks(), collective_name(scenario.request.collective), candidate.text(),
                    static_cast<int>(messages.size()), used ? busiest->messages : 0,
                    Cell(Json(messages), short_list(messages)),
                    used ? Cell(static_cast<int>(busiest - loads.begin()) + 1) : Cell(Json(), "-"),
                    used ? Cell(link_name(network, busiest->busiest_link)) : Cell(Json(), "-"),
                    Cell(Json(outcome.has_value()), outcome ? "yes" : "NO"),
                    outcome ? std::string() : outcome.error().text()});
    }

    static std::string link_name(const LinkGraph& network, int index) {
        const Link& link = network.links()[index];
        return network.name(link.from) + " > " + network.name(link.to);
    }

    Table table_;
    int proved_ = 0;
    int failed_ = 0;
};

void write(const Prover& prover, Format format, std::ostream& out) {
    if (format == Format::csv) return prover.table().write_csv(out);
    if (format == Format::json) {
        JsonWriter json(out);
        json.member("version", 1);
        json.member("proved", prover.proved());
        json.member("failed", prover.failed());
        return prover.table().write_json(json, "proofs");
    }
    prover.table().write_text(out);
    out << fmt::format("\n{} proved, {} failed; messages: on the busiest link in one round\n", prover.proved(),
                       prover.failed());
}

Expected<int> prove_all(ProveOptions options, const Console& console) {
    if (options.scenario.file.empty() == options.family.empty()) return failure("give either FILE or --family");
    auto networks = wanted_networks(options);
    if (!networks) return tl::unexpected<Error>(networks.error());
    const auto collectives = wanted_collectives(options);
    if (!collectives) return tl::unexpected<Error>(collectives.error());
    if (options.scenario.segments == 0) options.scenario.segments = usual_segments;

    Prover prover;
    Progress progress("proving", static_cast<std::int64_t>(networks->size() * collectives->size()));
    std::int64_t done = 0;
    for (const FamilyMember& network : *networks) {
        bool noted = false;
        for (const Collective collective : *collectives) {
            options.scenario.collective = collective_name(collective);
            auto scenario = make_scenario(network.file, options.scenario);
            if (!scenario) return tl::unexpected<Error>(scenario.error());
            if (!noted) write_notes(*scenario, console.notes);
            noted = true;
            scenario->preferences.list_references = true;
            LinkGraph links(scenario->fabric);
            prover.run(network.name, *scenario, links);
            progress.update(++done);
        }
    }
    if (prover.table().rows() == 0) return failure("no algorithm serves this, so that there is nothing to prove");
    write(prover, options.format, console.out);
    return prover.failed() == 0 ? exit_success : exit_finding;
}

}  // namespace

void add_prove_command(CLI::App& program, Action& chosen) {
    const auto options = std::make_shared<ProveOptions>();
    ScenarioOptions& scenario = options->scenario;
    CLI::App* const command = program.add_subcommand("prove", "Proves schedules, and counts messages on links.");
    command->add_option("FILE", scenario.file, "the topology file, see coll-topo.conf(5)");
    command->add_option("--family", options->family, "instead of FILE: all of these, such as 'torus 2..4x2..4'")
        ->type_name("FAMILY");
    command->add_option("--collective", options->collectives, "this one only; may be given more than once")
        ->type_name("NAME");
    command->add_option("--algorithm", scenario.algorithm, "this one only")->type_name("NAME");
    command->add_option("--hosts", scenario.hosts, "hosts in the order of the ranks; default: all")->type_name("LIST");
    command->add_option("--ranks-per-host", scenario.ranks_per_host, "consecutive ranks on each host; default: 1")
        ->type_name("K");
    command->add_option("--root", scenario.root, "the root of bcast and reduce; default: 0")->type_name("RANK");
    command->add_option("--lanes", scenario.lanes, "with this many lanes only")->type_name("L");
    command->add_option("--aggregators", scenario.aggregators, "with this many aggregators only")->type_name("A");
    command->add_option("--segments", scenario.segments, "with this many segments; default: 3")->type_name("S");
    add_format_option(*command, options->format);
    command->callback(
        [options, &chosen] { chosen = [options](const Console& console) { return prove_all(*options, console); }; });
}

}  // namespace coll_topo::tool
