// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/overlap_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>

namespace coll_topo::bench {

namespace {

constexpr double microseconds = 1e6;

class TextReport : public OverlapReport {
public:
    TextReport(const RunFacts& facts, std::ostream& stream) : stream_(stream) {
        stream
            << text_head(facts)
            << "# us: medians, from the common start to the end of the slowest rank; blocking: the call that waits;\n"
               "# nonblocking: the one that does not, and MPI_Wait at once; computing: about as long, without a call;\n"
               "# both: the nonblocking call, computing with so many calls of MPI_Test, and MPI_Wait;\n"
               "# overlap: 1 - (both - computing) / nonblocking, the share of the communication that is hidden\n";
        stream.flush();
    }

    void add(const std::vector<OverlapRow>& rows) override {
        if (rows.front().collective != collective_) header(rows.front().collective);
        for (const OverlapRow& row : rows) {
            stream_ << fmt::format("{:>10} {:<12} {:>6} {:>5} {:>12.1f} {:>12.1f} {:>12.1f} {:>12.1f} {:>7.1f}%{}\n",
                                   row.bytes, row.component + mark(row), row.tests, row.repetitions,
                                   row.blocking * microseconds, row.nonblocking * microseconds,
                                   row.computation * microseconds, row.both * microseconds, 100 * row.overlap(),
                                   row.wrong_calls > 0 ? "  WRONG RESULT" : "");
        }
        stream_.flush();
    }

    void end() override {
        if (passed_on_) {
            stream_ << "# *: coll_topo did not serve these nonblocking calls, or not on all ranks; others did\n";
        }
        if (taken_over_) stream_ << "# !: coll_topo served calls that were another component's\n";
        stream_.flush();
    }

private:
    std::string mark(const OverlapRow& row) {
        if (row.served()) return "";
        const bool own = is_topo(row.component);
        (own ? passed_on_ : taken_over_) = true;
        return own ? "*" : "!";
    }

    void header(const std::string& collective) {
        collective_ = collective;
        stream_ << fmt::format("\n# {}\n{:>10} {:<12} {:>6} {:>5} {:>12} {:>12} {:>12} {:>12} {:>8}\n", collective,
                               "# bytes", "component", "tests", "calls", "blocking us", "nonblocking", "computing",
                               "both us", "overlap");
    }

    std::ostream& stream_;
    std::string collective_;
    bool passed_on_ = false;
    bool taken_over_ = false;
};

class CsvReport : public OverlapReport {
public:
    CsvReport(const RunFacts& facts, std::ostream& stream) : facts_(facts), stream_(stream) {
        stream << "collective,bytes,ranks,hosts,component,tests,repetitions,blocking_us,nonblocking_us,computation_us,"
                  "both_us,overlap,calls,late_calls,topo_calls,wrong_calls,served,load\n";
    }

    void add(const std::vector<OverlapRow>& rows) override {
        for (const OverlapRow& row : rows) {
            stream_ << fmt::format("{},{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.4f},{},{},{},{},{},{}\n",
                                   row.collective, row.bytes, facts_.ranks, facts_.hosts, row.component, row.tests,
                                   row.repetitions, row.blocking * microseconds, row.nonblocking * microseconds,
                                   row.computation * microseconds, row.both * microseconds, row.overlap(), row.calls,
                                   row.late_calls, row.calls_by_topo, row.wrong_calls, row.served() ? "yes" : "no",
                                   row.load ? fmt::format("{:.2f}", *row.load) : "");
        }
        stream_.flush();
    }

private:
    RunFacts facts_;
    std::ostream& stream_;
};

class JsonReport : public OverlapReport {
public:
    JsonReport(const RunFacts& facts, std::ostream& stream) : stream_(stream), document_(json_head(facts)) {
        document_["overlap"] = nlohmann::ordered_json::array();
    }

    void add(const std::vector<OverlapRow>& rows) override {
        for (const OverlapRow& row : rows) {
            nlohmann::ordered_json entry{{"collective", row.collective},
                                         {"bytes", row.bytes},
                                         {"component", row.component},
                                         {"tests", row.tests},
                                         {"repetitions", row.repetitions},
                                         {"blocking_us", row.blocking * microseconds},
                                         {"nonblocking_us", row.nonblocking * microseconds},
                                         {"computation_us", row.computation * microseconds},
                                         {"both_us", row.both * microseconds},
                                         {"overlap", row.overlap()},
                                         {"calls", row.calls},
                                         {"late_calls", row.late_calls},
                                         {"topo_calls", row.calls_by_topo},
                                         {"wrong_calls", row.wrong_calls},
                                         {"served", row.served()}};
            if (row.load) entry["load"] = *row.load;
            document_["overlap"].push_back(std::move(entry));
        }
    }

    void end() override { stream_ << document_.dump(2) << '\n' << std::flush; }

private:
    std::ostream& stream_;
    nlohmann::ordered_json document_;
};

}  // namespace

std::unique_ptr<OverlapReport> begin_overlap_report(Format format, const RunFacts& facts, std::ostream& stream) {
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
