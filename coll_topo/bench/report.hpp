// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/bench/network.hpp"
#include "coll_topo/bench/options.hpp"
#include "coll_topo/bench/results.hpp"

#include <iosfwd>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace coll_topo::bench {

/// What holds for a whole run.
struct RunFacts {
    int ranks = 1;
    int hosts = 1;  ///< by the names that they have for MPI
    std::string mpi;
    std::string command;                  ///< without mpirun and its options
    std::string network;                  ///< of the topology file; empty without one
    std::optional<tool::GridFacts> grid;  ///< likewise
    tool::FixedSettings fixed;
    double clock_uncertainty = 0;  ///< seconds
    bool in_place = false;
    int root = 0;
    int back_to_back = 1;
    std::vector<std::string> components;  ///< of all collectives
};

/// How a table begins: lines of comment, or members of an object.
std::string text_head(const RunFacts& facts);
nlohmann::ordered_json json_head(const RunFacts& facts);

/// A table, written as the cases come in.
class Report {
public:
    virtual ~Report() = default;
    /// The rows of one case. They are in the order of RunFacts::components, of which some may be left out.
    virtual void add(const std::vector<Row>& rows) = 0;
    virtual void end() {}
};

/// Writes the beginning of the table. The stream must outlive the report.
std::unique_ptr<Report> begin_report(Format format, const RunFacts& facts, std::ostream& stream);

}  // namespace coll_topo::bench
