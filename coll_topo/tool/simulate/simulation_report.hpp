// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/drawing/line_plot.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/simulate/bounds.hpp"
#include "coll_topo/simulate/simulation.hpp"
#include "coll_topo/tool/output/table.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"

#include <string>
#include <vector>

namespace coll_topo::tool {

/// A link and what it carried.
struct LinkUse {
    std::string from;
    std::string to;
    std::uint64_t bytes;
    double utilisation;  ///< 0 .. 1, of the time of the simulation
};

/// What came out of one algorithm for one size.
struct SimulatedCase {
    double bytes = 0;
    Candidate candidate;
    bool chosen = false;                ///< what the component takes for this size
    double seconds = 0;                 ///< simulated; 0 if the candidate has a refusal
    simulate::Bound bound = {};         ///< what no schedule can beat
    std::vector<LinkUse> busiest = {};  ///< by utilisation, the busiest first

    bool ran() const { return candidate.refusal.empty(); }
    double share_of_bound() const { return seconds > 0 ? bound.seconds() / seconds : 0; }
};

/// The links by utilisation, at most `count`.
std::vector<LinkUse> busiest_links(const Simulation& simulation, const LinkGraph& network, int count);

/// All cases of a run of the command.
struct SimulationReport {
    Collective collective;
    std::string machine;  ///< "4x4 hosts"
    SimulationSettings settings;
    std::vector<SimulatedCase> cases;

    /// Text has the fastest of each size, and what the component takes, but everything if `all` is set.
    void write(Format format, bool all, std::ostream& out) const;

    /// Times over sizes, a line for each algorithm and one for the bound; what the component takes has rings.
    LinePlot time_plot() const;
    /// Shares of the bound over sizes, likewise.
    LinePlot share_plot() const;

private:
    Table case_table() const;
    Table share_table() const;
    void write_fastest(std::ostream& out) const;
    void write_json(std::ostream& out) const;
    void write_text(bool all, std::ostream& out) const;
};

}  // namespace coll_topo::tool
