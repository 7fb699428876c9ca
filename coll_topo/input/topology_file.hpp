// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/input/host_match.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coll_topo {

/// A fabric as read, and what the reader remarks without refusing the file: first what is probably a mistake, which
/// those who start a job should know too, then the rest (such as an ignored LinkSpeed).
struct TopologyFile {
    Fabric fabric;
    std::vector<Error> notes;
    int doubts = 0;  ///< how many notes are on what is probably a mistake
    HostAddresses addresses = {};
};

/// Reads a topology file (coll-topo.conf(5)), following Include. The error carries file:line:column.
Expected<TopologyFile> read_topology_file(const std::string& path);

/// The same from text; `name` stands for the file in messages. Include is resolved against the directory of `name`.
Expected<TopologyFile> read_topology_text(std::string_view text, const std::string& name);

/// Gives the default bandwidth of a torus to cables between switches for which the file has none; in a network without
/// such cables, to those of the hosts. True if there were any. Readers do not do this: a network is shown as written.
bool assume_bandwidth(Fabric& fabric);

}  // namespace coll_topo
