// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/import/cable_list.hpp"
#include "coll_topo/import/wiring.hpp"

#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

namespace coll_topo::importing {

/// Which host an adapter belongs to, where its description does not say.
struct HostNaming {
    std::map<std::string, std::string> name_of_address = {};  ///< GUID or MAC as plain_address() -> description
    std::unordered_set<std::string> not_hosts = {};           ///< names to leave out: storage, login nodes
    bool by_guid = false;                                     ///< adapters without a host's name are hosts
};

/// Reads a node name map as infiniband-diags has them: `0x0002c903000e0b72 "n001 HCA-1"`, one on a line.
Expected<void> read_name_map(std::string_view text, const std::string& file, HostNaming& naming);

/// Joins adapters to hosts by the first words of their descriptions ("n001 HCA-1", "n001 mlx5_0"), and cables to pairs.
/// Fails where two adapters claim to be the same one, or the description names no host.
Expected<Wiring> join_hosts(const CableList& list, const std::string& file, const HostNaming& naming);

}  // namespace coll_topo::importing
