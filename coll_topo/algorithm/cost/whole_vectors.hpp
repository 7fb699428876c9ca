// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/message_timeline.hpp"

#include <utility>
#include <vector>

namespace coll_topo {

/// Seconds of a bcast of a whole vector down a tree. `for_children(number, visit)` visits the children of a rank, which
/// counts from the root, in the order in which it sends to them. It does not wait for one before it sends to the next,
/// so that they share its links.
template <typename ForChildren>
double bcast_of_whole_vectors(const Grid& grid, int root, double bytes, ForChildren&& for_children) {
    MessageTimeline timeline(grid);
    std::vector<int> senders = {0};
    while (!senders.empty()) {
        std::vector<int> receivers;
        for (const int sender : senders) {
            for_children(sender, [&](int child) {
                timeline.message((root + sender) % grid.ranks(), (root + child) % grid.ranks(), bytes);
                receivers.push_back(child);
            });
        }
        timeline.end_step();
        senders = std::move(receivers);
    }
    return timeline.latest();
}

}  // namespace coll_topo
