// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/input/topology_file.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {

struct FamilyMember {
    std::string name;  ///< "torus 2x3"
    TopologyFile file;
};

/// The networks of a family, the last number fastest, one host of a torus in each cell. A family is a kind and numbers
/// or ranges: "torus 2..4x2..4", "mesh 8x1..3", "tree 2..4x1..2x4" (leaves, spines above all of them, hosts of a leaf),
/// "latin-square 2..4x1" (order, hosts of a leaf), "full-mesh 6..8x1..3" (ports of a switch, hosts of a leaf); orders
/// and ports that do not exist are left out. Fails if the text is none of these, and if it means no network, more than
/// 10 000, or one of more than 4096 hosts.
Expected<std::vector<FamilyMember>> make_family(std::string_view text);

}  // namespace coll_topo::tool
