// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/bench/overlap_results.hpp"
#include "coll_topo/bench/report.hpp"

#include <iosfwd>
#include <memory>
#include <vector>

namespace coll_topo::bench {

/// The table of --overlap, written as the cases come in.
class OverlapReport {
public:
    virtual ~OverlapReport() = default;
    /// The rows of a component in a case.
    virtual void add(const std::vector<OverlapRow>& rows) = 0;
    virtual void end() {}
};

/// Writes the beginning of the table. The stream must outlive the report.
std::unique_ptr<OverlapReport> begin_overlap_report(Format format, const RunFacts& facts, std::ostream& stream);

}  // namespace coll_topo::bench
