// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/profile/profile_report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// Where ranks of the profile are put in the network.
struct AdviceOptions {
    std::string file = {};   ///< the topology file
    std::string hosts = {};  ///< hostlist; empty: as recorded if the file has all those hosts, else all of the file
    int ranks_per_host = 0;  ///< consecutive ranks on each; 0: as many as in the profile
    std::string rules = {};  ///< file; empty: none
};

/// A line of the profile on the network. Times are predicted seconds of a call.
struct AdvisedLine {
    ProfileLine line;
    double calls_of_rank = 0;             ///< of each rank of the job, on average
    std::optional<double> without;        ///< with what the component tuned does; nothing if that is not known
    std::optional<double> with;           ///< with coll_topo, also where it passes calls on to tuned
    std::string run_by;                   ///< the algorithm and its lanes, "passed on"
    std::optional<double> gain() const {  ///< how many times faster
        return without && with && *with > 0 ? std::optional(*without / *with) : std::nullopt;
    }
};

struct Advice {
    std::string network;
    std::string placement;           ///< where the ranks were put, for people
    std::vector<std::string> notes;  ///< for the user: what was assumed
    std::vector<AdvisedLine> lines;  ///< what gains most seconds first

    /// Seconds of each rank in calls of which both are known: without coll_topo, and with it.
    double without() const;
    double with() const;
    /// Measured seconds of each rank in the other calls.
    double unknown() const;
    int ranks = 0;
};

/// What the calls of a profile are predicted to take on a network. Fails if the file is wrong, or has too few hosts.
Expected<Advice> advise(const ProfileReport& profile, const AdviceOptions& options);

}  // namespace coll_topo::tool
