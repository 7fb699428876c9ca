// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/report.hpp"

#include "coll_topo/base/text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace coll_topo::bench {

namespace {

constexpr double microseconds = 1e6;
constexpr double megabytes = 1e-6;

// ---- text -----------------------------------------------------------------------------------------------------------

class TextReport : public Report {
public:
    TextReport(const RunFacts& facts, std::ostream& stream) : stream_(stream) {
        stream << text_head(facts);
        if (facts.back_to_back > 1) {
            stream << fmt::format("# {} calls back to back, of which the mean time of one counts\n",
                                  facts.back_to_back);
        }
        stream << "# us: from the common start to the end of the slowest rank; MB/s: bus bandwidth; bound: share of\n"
                  "# the speed that no schedule can beat, and what limits it; /NAME: this median over that of NAME\n";
        stream.flush();
    }

    void add(const std::vector<Row>& rows) override {
        if (rows.front().collective != collective_) header(rows);
        for (const Row& row : rows) {
            stream_ << fmt::format("{:>10} {:<{}} {:>5} {:>12.1f} {:>12.1f} {:>12.1f} {:>10.2f} {:>6} {:<9}", row.bytes,
                                   row.component + mark(row), name_width_, row.repetitions, row.median * microseconds,
                                   row.least * microseconds, row.most * microseconds, row.bus_bandwidth * megabytes,
                                   share(row), limit(row));
            for (std::size_t i = 0; i < rows.size(); ++i) {
                if (is_compared_with(rows[i])) {
                    stream_ << fmt::format(" {:>{}.2f}", row.ratios[i], rows[i].component.size() + 5);
                }
            }
            stream_ << (row.wrong_calls > 0 ? "  WRONG RESULT\n" : "\n");
        }
        stream_.flush();
    }

    void end() override {
        if (passed_on_) stream_ << "# *: coll_topo did not serve these calls, or not on all ranks; others did\n";
        if (taken_over_) stream_ << "# !: coll_topo served calls that were another component's\n";
        stream_.flush();
    }

private:
    /// There may be many forced algorithms: ratios are to the components that choose for themselves.
    static bool is_compared_with(const Row& row) { return row.component.find(':') == std::string::npos; }

    static std::string share(const Row& row) {
        const auto share = row.share_of_bound();
        return share ? fmt::format("{:.1f}%", 100 * *share) : "-";
    }

    static std::string_view limit(const Row& row) {
        return row.bound ? simulate::limit_name(row.bound->limit()) : std::string_view("-");
    }

    std::string mark(const Row& row) {
        if (row.served()) return "";
        (row.of_topo() ? passed_on_ : taken_over_) = true;
        return row.of_topo() ? "*" : "!";
    }

    void header(const std::vector<Row>& rows) {
        collective_ = rows.front().collective;
        name_width_ = 10;
        for (const Row& row : rows) name_width_ = std::max(name_width_, row.component.size() + 1);
        stream_ << fmt::format("\n# {}\n{:>10} {:<{}} {:>5} {:>12} {:>12} {:>12} {:>10} {:>6} {:<9}", collective_,
                               "# bytes", "component", name_width_, "calls", "median us", "min us", "max us", "MB/s",
                               "bound", "limit");
        for (const Row& row : rows) {
            if (is_compared_with(row)) stream_ << fmt::format(" {:>{}}", '/' + row.component, row.component.size() + 5);
        }
        stream_ << '\n';
    }

    std::ostream& stream_;
    std::string collective_;
    std::size_t name_width_ = 0;
    bool passed_on_ = false;
    bool taken_over_ = false;
};

// ---- CSV ------------------------------------------------------------------------------------------------------------

/// Names of components and algorithms hold no commas or quotes.
class CsvReport : public Report {
public:
    CsvReport(const RunFacts& facts, std::ostream& stream) : facts_(facts), stream_(stream) {
        stream << "collective,bytes,ranks,hosts,component,repetitions,median_us,min_us,max_us,bus_MBps,bound_us,"
                  "share_of_bound,limited_by,calls,late_calls,topo_calls,wrong_calls,served,load";
        for (const std::string& name : facts.components) stream << ",ratio_to_" << name;
        stream << '\n';
    }

    void add(const std::vector<Row>& rows) override {
        for (const Row& row : rows) {
            const auto share = row.share_of_bound();
            stream_ << fmt::format(
                "{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.6f},{},{},{},{},{},{},{},{},{}", row.collective, row.bytes,
                facts_.ranks, facts_.hosts, row.component, row.repetitions, row.median * microseconds,
                row.least * microseconds, row.most * microseconds, row.bus_bandwidth * megabytes,
                row.bound ? fmt::format("{:.3f}", row.bound->seconds() * microseconds) : "",
                share ? fmt::format("{:.4f}", *share) : "", row.bound ? simulate::limit_name(row.bound->limit()) : "",
                row.calls, row.late_calls, row.calls_by_topo, row.wrong_calls, row.served() ? "yes" : "no",
                row.load ? fmt::format("{:.2f}", *row.load) : "");
            for (const std::string& name : facts_.components) stream_ << ',' << ratio_to(name, row, rows);
            stream_ << '\n';
        }
        stream_.flush();
    }

private:
    static std::string ratio_to(const std::string& name, const Row& row, const std::vector<Row>& rows) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].component == name) return fmt::format("{:.4f}", row.ratios[i]);
        }
        return "";
    }

    RunFacts facts_;
    std::ostream& stream_;
};

// ---- JSON -----------------------------------------------------------------------------------------------------------

class JsonReport : public Report {
public:
    JsonReport(const RunFacts& facts, std::ostream& stream) : stream_(stream) {
        document_ = json_head(facts);
        document_["cases"] = nlohmann::ordered_json::array();
    }

    void add(const std::vector<Row>& rows) override {
        for (const Row& row : rows) {
            nlohmann::ordered_json entry{{"collective", row.collective},
                                         {"bytes", row.bytes},
                                         {"component", row.component},
                                         {"repetitions", row.repetitions},
                                         {"median_us", row.median * microseconds},
                                         {"min_us", row.least * microseconds},
                                         {"max_us", row.most * microseconds},
                                         {"bus_MBps", row.bus_bandwidth * megabytes}};
            if (row.bound) {
                entry["bound_us"] = row.bound->seconds() * microseconds;
                entry["share_of_bound"] = *row.share_of_bound();
                entry["limited_by"] = simulate::limit_name(row.bound->limit());
            }
            entry["calls"] = row.calls;
            entry["late_calls"] = row.late_calls;
            entry["topo_calls"] = row.calls_by_topo;
            entry["wrong_calls"] = row.wrong_calls;
            entry["served"] = row.served();
            if (row.load) entry["load"] = *row.load;
            for (std::size_t i = 0; i < rows.size(); ++i) entry["ratio_to"][rows[i].component] = row.ratios[i];
            document_["cases"].push_back(std::move(entry));
        }
    }

    void end() override { stream_ << document_.dump(2) << '\n' << std::flush; }

private:
    std::ostream& stream_;
    nlohmann::ordered_json document_;
};

}  // namespace

std::string text_head(const RunFacts& facts) {
    std::string head = fmt::format("# {} on {}, {}\n", counted(facts.ranks, "rank", "ranks"),
                                   counted(facts.hosts, "host", "hosts"), facts.mpi);
    if (!facts.network.empty()) head += "# " + facts.network + '\n';
    if (facts.clock_uncertainty > 0) {
        head += fmt::format("# clocks of the hosts agree within {:.1f} us\n", facts.clock_uncertainty * microseconds);
    }
    return head;
}

nlohmann::ordered_json json_head(const RunFacts& facts) {
    nlohmann::ordered_json head{{"version", 1},
                                {"ranks", facts.ranks},
                                {"hosts", facts.hosts},
                                {"mpi", facts.mpi},
                                {"command", facts.command},
                                {"network", facts.network},
                                {"clock_uncertainty_us", facts.clock_uncertainty * microseconds},
                                {"in_place", facts.in_place},
                                {"root", facts.root},
                                {"back_to_back", facts.back_to_back}};
    if (facts.grid) {
        head["grid"] = {{"shape", facts.grid->shape},
                        {"hosts", facts.grid->hosts},
                        {"least_ranks_per_host", facts.grid->least_ranks_per_host},
                        {"most_ranks_per_host", facts.grid->most_ranks_per_host}};
    }
    head["fixed"] = {
        {"lanes", facts.fixed.lanes}, {"segments", facts.fixed.segments}, {"aggregators", facts.fixed.aggregators}};
    return head;
}

std::unique_ptr<Report> begin_report(Format format, const RunFacts& facts, std::ostream& stream) {
    switch (format) {
        case Format::csv:
            return std::make_unique<CsvReport>(facts, stream);
        case Format::json:
            return std::make_unique<JsonReport>(facts, stream);
        case Format::text:
            break;
    }
    return std::make_unique<TextReport>(facts, stream);
}

}  // namespace coll_topo::bench
