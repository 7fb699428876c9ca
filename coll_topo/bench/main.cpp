// SPDX-License-Identifier: BSD-3-Clause
// coll-topo-bench: times the collectives of Open MPI's components side by side. See coll-topo-bench(1).
#include "coll_topo/base/text.hpp"
#include "coll_topo/bench/measure.hpp"
#include "coll_topo/bench/network.hpp"
#include "coll_topo/bench/options.hpp"
#include "coll_topo/bench/outlook.hpp"
#include "coll_topo/bench/overlap.hpp"
#include "coll_topo/bench/plot.hpp"
#include "coll_topo/bench/report.hpp"
#include "coll_topo/bench/session.hpp"
#include "coll_topo/mpi_run/cartesian_communicator.hpp"
#include "coll_topo/mpi_run/clock.hpp"
#include "coll_topo/mpi_run/quiet.hpp"

#include <fstream>
#include <iostream>

namespace coll_topo::bench {
namespace {

enum Status { success = 0, wrong = 1, usage = 2 };

int refuse(const Bench& bench, const std::string& message) {
    if (bench.rank == 0) std::cerr << "coll-topo-bench: " << message << "\nSee coll-topo-bench --help." << std::endl;
    return usage;
}

/// What rank 0 keeps: the table, and what was wrong.
class Ledger {
public:
    void begin(Format format, const RunFacts& facts, std::ostream& stream) {
        report_ = begin_report(format, facts, stream);
    }
    void add(const std::vector<Row>& rows, const std::vector<Measurement>& seen) {
        report_->add(rows);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            well_ = well_ && rows[i].wrong_calls == 0 && (rows[i].of_topo() || rows[i].served());
            report_wrong(rows[i].collective, rows[i].bytes, rows[i].component, seen[i]);
        }
        all_.push_back(rows);
    }
    void end() { report_->end(); }
    bool well() const { return well_; }
    void draw(const RunFacts& facts, const std::string& path) {
        const std::string title = std::to_string(facts.ranks) + " ranks on " + counted(facts.hosts, "host", "hosts");
        if (const auto written = write_plots(all_, title, path); !written) {
            std::cerr << "coll-topo-bench: " << written.error().message << std::endl;
            well_ = false;
        }
    }

private:
    std::unique_ptr<Report> report_;
    std::vector<std::vector<Row>> all_;
    bool well_ = true;
};

std::vector<std::string> names_of(const std::vector<Component>& components) {
    std::vector<std::string> names;
    for (const Component& component : components) names.push_back(component.name().text());
    return names;
}

/// Collective, and rank 0 decides: drops the forced algorithms that are not worth calling with so many bytes.
void give_up(std::vector<Component>& components, Outlook& outlook, double bytes, const Bench& bench) {
    const std::vector<bool> worthwhile = outlook.worthwhile(bytes);
    for (std::size_t i = components.size(); i-- > 0;) {
        if (components[i].name().algorithm.empty() || agreed(worthwhile[i], bench)) continue;
        components.erase(components.begin() + static_cast<std::ptrdiff_t>(i));
        outlook.drop(i);
    }
}

void measure_contest(const Contest& contest, const Options& options, Bench& bench,
                     const std::optional<Network>& network, Ledger& ledger) {
    std::vector<Component> components = make_components(contest, bench);
    if (components.empty()) return;
    std::vector<std::string> families;
    for (const Component& component : components) families.push_back(component.name().component);
    Outlook outlook(families, options.give_up);
    const Operation& operation = *contest.operation;
    for (const std::size_t elements : element_counts(options, operation, bench.pieces(operation))) {
        CaseFacts facts;
        facts.collective = operation.name;
        facts.bytes = bytes_of(operation, elements, bench.pieces(operation));
        facts.bus_share = operation.bus_share(bench.ranks);
        // Of calls back to back, one may begin before another has ended.
        if (network && options.back_to_back == 1)
            facts.bound = network->bound(facts.collective, facts.bytes, options.root);
        const auto progress = [&](int round) {
            if (!options.progress) return;
            std::cerr << "coll-topo-bench: " << operation.name << ", " << facts.bytes << " bytes, repetition "
                      << round + 1 << " of " << options.repetitions << std::endl;
        };
        if (options.give_up > 0) give_up(components, outlook, static_cast<double>(facts.bytes), bench);
        facts.load = wait_for_quiet(bench.communicator, options.quiet_seconds);
        const CommonClock clock(bench.communicator);
        const Case which{&operation,          elements,        options.root,        options.in_place,
                         options.repetitions, options.seconds, options.back_to_back};
        const auto seen = measure(bench, which, components, clock, progress);
        if (bench.rank != 0) continue;
        const std::vector<Row> rows = rows_of(facts, names_of(components), seen);
        std::vector<double> seconds;  // the least: noise only adds
        std::vector<bool> served;
        for (const Row& row : rows) {
            seconds.push_back(row.least);
            served.push_back(!row.of_topo() || row.served());
        }
        outlook.note(static_cast<double>(facts.bytes), seconds, served);
        ledger.add(rows, seen);
    }
}

/// Whether all went well, on rank 0.
bool compare(const Options& options, Bench& bench, const std::vector<Contest>& contests,
             const std::optional<Network>& network, const RunFacts& facts, std::ostream& stream) {
    Ledger ledger;
    if (bench.rank == 0) ledger.begin(options.format, facts, stream);
    for (const Contest& contest : contests) measure_contest(contest, options, bench, network, ledger);
    if (bench.rank == 0) ledger.end();
    if (bench.rank == 0 && !options.svg.empty()) ledger.draw(facts, options.svg);
    return ledger.well();
}

int run(const Options& options, Bench& bench) {
    const auto contests = contests_for(options, bench);
    if (!contests) return refuse(bench, contests.error().message);
    std::ofstream file;
    if (bench.rank == 0 && !options.output.empty()) file.open(options.output);
    if (!agreed(file.good(), bench)) return refuse(bench, "cannot write " + options.output);
    std::ostream& stream = file.is_open() ? static_cast<std::ostream&>(file) : std::cout;
    const std::vector<std::string> hosts = host_names(bench);
    Expected<std::optional<Network>> network = std::nullopt;
    if (bench.rank == 0) network = find_network(options, bench, hosts);
    if (!agreed(network.has_value(), bench)) return refuse(bench, network ? "" : network.error().message);
    bench.cartesian = agreed_cartesian(*network ? (*network)->cartesian() : std::nullopt, bench.communicator);
    if (auto made = make_buffers(options, bench); !made) return refuse(bench, made.error().message);
    RunFacts facts = facts_of(options, bench, *contests, hosts);
    if (*network) {
        facts.network = (*network)->summary();
        facts.grid = (*network)->grid();
    }
    facts.clock_uncertainty = CommonClock(bench.communicator).uncertainty();
    const bool well = options.overlap ? show_overlap(options, bench, *contests, facts, stream)
                                      : compare(options, bench, *contests, *network, facts, stream);
    return agreed(well, bench) ? success : wrong;
}

int main(int argc, char** argv) {
    Bench bench;
    bench.communicator = duplicate(MPI_COMM_WORLD, "^topo");
    MPI_Comm_rank(bench.communicator, &bench.rank);
    MPI_Comm_size(bench.communicator, &bench.ranks);
    const auto command_line = parse_command_line(argc, argv);
    int status = success;
    if (!command_line) {
        status = refuse(bench, command_line.error().message);
    } else if (command_line->options) {
        status = run(*command_line->options, bench);
    } else if (bench.rank == 0) {
        std::cout << command_line->text << std::flush;
    }
    MPI_Comm_free(&bench.communicator);
    return status;
}

}  // namespace
}  // namespace coll_topo::bench

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int status = coll_topo::bench::main(argc, argv);
    MPI_Finalize();
    return status;
}
