// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/accept/baseline.hpp"
#include "coll_topo/tool/accept/cable_faults.hpp"
#include "coll_topo/tool/accept/host_stage.hpp"
#include "coll_topo/tool/accept/limits.hpp"
#include "coll_topo/tool/accept/result_stage.hpp"
#include "coll_topo/tool/accept/speed_stage.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coll_topo::tool {

enum class Outcome {
    met,
    not_met,
    not_tested,    ///< never counts as met
    not_required,  ///< by the limits
};

/// One of the conditions for acceptance, and what was found.
struct Condition {
    std::string name;  ///< "cables"
    std::string what;  ///< "every cable carries 80 % of its bandwidth, and is where the file says"
    Outcome outcome = Outcome::not_tested;
    std::string found = {};  ///< for people
};

/// All that an acceptance run knows of a cluster; stages that were not run are missing.
struct Acceptance {
    const Fabric& fabric;
    std::string file;         ///< the topology file
    std::string command;      ///< to repeat it
    std::string date;         ///< "2026-11-24 20:15 UTC"
    std::string version;      ///< of coll-topo
    std::string interrupted;  ///< why it is incomplete; empty: it is not
    AcceptanceLimits limits = {};
    std::optional<HostStage> hosts = {};
    std::optional<CableReport> cables = {};  ///< complete ones; the verdict is that of the cables alone
    int cable_rounds_done = 0, cable_rounds = 0;
    std::optional<ResultStage> results = {};
    std::optional<SpeedStage> speed = {};
    std::optional<Baseline> baseline = {};
    std::vector<std::string> errors = {};  ///< why a stage could not be run
};

std::vector<Condition> conditions_of(const Acceptance& acceptance);

/// Met, or not required, all of them.
bool is_accepted(const std::vector<Condition>& conditions);
/// Not met, one of them at least, whatever else could not be tested.
bool is_refused(const std::vector<Condition>& conditions);

/// "met", "not met", "not tested", "not required".
const char* outcome_name(Outcome outcome);

/// Hosts of the file that no rank ran on; nothing if that is not known.
std::optional<std::vector<std::string>> absent_hosts(const Acceptance& acceptance);

}  // namespace coll_topo::tool
