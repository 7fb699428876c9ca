// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"

#include <vector>

namespace coll_topo::acceptance {

/// A message between two hosts of the fabric.
struct Message {
    int from = 0;
    int to = 0;
    std::vector<int> links = {};  ///< of LinkGraph, that it takes, in order
    double rate = 0;              ///< bytes/s of it while the messages of its test are under way, by LinkCapacities
};

/// Messages, sent at once, that fill links as far as hosts can.
struct CableTest {
    std::vector<int> links = {};  ///< of LinkGraph, for which it is; all its messages take each of them
    std::vector<Message> messages = {};
    double bandwidth = 0;  ///< bytes/s of all messages together, by LinkCapacities
};

/// Bytes/s of each link of a graph. Where the file leaves some open, they count as the fastest that it gives; where it
/// gives none, all are equal, and nothing can be said of times.
struct LinkCapacities {
    explicit LinkCapacities(const LinkGraph& graph);

    std::vector<double> of_link;
    bool known = true;  ///< the file gives them all
};

}  // namespace coll_topo::acceptance
