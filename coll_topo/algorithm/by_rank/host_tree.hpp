// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace coll_topo {

/// What the ranks of each host do with what a tree over hosts brings.
struct RanksOfHosts {
    /// By host, the ranks at which visits enter it, one after the other; at the root's host first the root itself.
    std::vector<std::vector<std::int32_t>> entries;
    /// By rank, that of the same host from which it gets data; -1: none.
    std::vector<std::int32_t> parents;
};

/// A tree over hosts that visits each of them several times.
class HostTree {
public:
    struct Visit {
        std::vector<std::int32_t> above;  ///< by host: that from which it gets data; -1 for the root's
        /// By host: that from whose visit before it gets data, if this is not the first one; -1: from above.
        std::vector<std::int32_t> again;
    };

    explicit HostTree(std::vector<Visit> visits) : visits_(std::move(visits)) {}

    /// The last one that is known stands for all further ones.
    const Visit& visit(int number) const {
        return visits_[std::min<std::size_t>(static_cast<std::size_t>(number), visits_.size() - 1)];
    }

private:
    std::vector<Visit> visits_;
};

}  // namespace coll_topo
