// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace coll_topo {

/// Seconds that a byte takes at so many bytes/s; 0 where the file does not say.
inline double seconds_per_byte_at(double bandwidth) {
    return bandwidth > 0 ? 1 / bandwidth : 0;
}

/// The links that messages take through switches: the cables of the two hosts, one for each direction, and those
/// between switches. Where routes are too many to be known (LeafRoutes), instead of these all cables up from a leaf,
/// all down to one, and all from one leaf to another count as a link each; messages between different pairs of leaves
/// that share a cable further up are then not seen together.
class SwitchWays {
public:
    explicit SwitchWays(const Grid& grid);

    /// Appends the links on the way between different hosts; its latency, seconds.
    double append(int from_host, int to_host, std::vector<int>& links);

    /// May grow with each way.
    int links() const { return static_cast<int>(seconds_per_byte_.size()); }
    /// 0: the file does not say.
    double seconds_per_byte(int link) const { return seconds_per_byte_[link]; }

private:
    int between(int from_leaf, int to_leaf, double bandwidth);

    const LeafArrangement& leaves_;
    int hosts_;
    std::vector<double> seconds_per_byte_;         // hosts out and in, then cables, or leaves out and in, and pairs
    std::unordered_map<std::int64_t, int> pairs_;  // of leaves (from * leaves + to), to their links
};

}  // namespace coll_topo
