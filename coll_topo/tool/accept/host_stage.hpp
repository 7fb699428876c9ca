// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {

/// A rank and what coll-topo-measure --hosts says of it.
struct RankFacts {
    std::string host;
    std::map<std::string, std::string> facts;
};

/// Something that some hosts have otherwise than most.
struct Difference {
    std::string what;   ///< "Open MPI"
    std::string usual;  ///< what most have
    std::string value;
    std::vector<std::string> hosts;  ///< that have this value
    bool matters = true;             ///< versions, parameters and files; else only to be known
};

struct HostStage {
    std::string mpi;
    std::vector<RankFacts> ranks;

    /// The hosts by their first rank, each once.
    std::vector<std::string> hosts() const;
};

/// Reads what coll-topo-measure --hosts has written; `name` stands for the text in messages.
Expected<HostStage> read_host_facts(std::string_view text, const std::string& name);

std::vector<Difference> differences(const HostStage& stage);

/// Hosts on which two ranks are bound to the same processors, though there are others.
std::vector<std::string> hosts_with_wrong_binding(const HostStage& stage);

/// Facts that are the same everywhere, for "machine and versions".
std::map<std::string, std::string> common_facts(const HostStage& stage);

}  // namespace coll_topo::tool
