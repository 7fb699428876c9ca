// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/tool/output/table.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {

/// A table of schedules with the outcomes of their proofs, and the messages on their busiest links.
class Proofs {
public:
    /// With a column that says which rule chose the schedule, or without.
    explicit Proofs(bool by_rules);

    /// Builds the schedule of the candidate on the scenario and proves it. `name` is the network's; `rule` is not used
    /// without that column.
    void add(const std::string& name, const Scenario& scenario, const Candidate& candidate, std::string_view rule,
             LinkGraph& network);

    bool empty() const { return table_.rows() == 0; }
    int failed() const { return failed_; }
    /// Text has what matters of each schedule, but everything if `all` is set.
    void write(std::ostream& out, Format format, bool all) const;

private:
    /// What the short text has of schedules on one network, or by one rule on it.
    struct Group {
        std::string title;
        std::vector<Candidate> candidates;
        std::vector<std::vector<std::string>> numbers;  // call, rounds, messages, whether it is proved
    };
    void write_short(std::ostream& out) const;

    bool by_rules_;
    Table table_;
    std::vector<Group> groups_;
    std::vector<std::string> findings_;
    int proved_ = 0;
    int failed_ = 0;
};

}  // namespace coll_topo::tool
