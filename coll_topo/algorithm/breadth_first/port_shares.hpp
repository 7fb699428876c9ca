// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace coll_topo {

/// Divides units of a few kinds among ports; a kind may use only some of these.
struct UnitKind {
    std::uint32_t ports;  ///< bit p for port p: those it may use, at least one
    int units;
};

/// The least time in which the ports can carry all units, which may be split here: units over the bandwidth of a port.
double least_time(const std::vector<UnitKind>& kinds, const std::vector<double>& bandwidths);

/// Whole units of every kind (row) over every port (column).
struct PortShares {
    std::vector<std::vector<int>> units;
    double time;  ///< of the port that is busy longest
};

/// The shares with the least time, up to rounding of the ports' limits.
PortShares share_out(const std::vector<UnitKind>& kinds, const std::vector<double>& bandwidths);

}  // namespace coll_topo
