// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/import/wiring.hpp"

namespace coll_topo::importing {

/// Which switches are above which.
struct SwitchLevels {
    std::vector<int> height = {};  ///< by switch: of two that have a cable, the higher one is above
    bool by_hosts = true;          ///< false: the network has no levels; heights are only an order without circles
    int hosts_above_leaves = 0;    ///< hosts of switches that have others below
};

/// Finds levels: leaves, then switches one cable away from them, and so on, so that no cable joins two of one level. If
/// that fails, some switches with few hosts are no leaves, or the switches in the middle of the network are above those
/// further out: whichever leaves fewer hosts above leaves. A network without levels, such as a ring of switches, gets
/// an order as that of up/down routing: by the distance from a switch in the middle.
SwitchLevels find_levels(const Wiring& wiring);

/// Whether the switches with hosts are leaves, and all cables join them and further switches level by level.
bool has_plain_levels(const Wiring& wiring);

/// Points all cables from the lower switch to the upper one, and notes what is lost of a network without levels.
void direct_upwards(Wiring& wiring);

}  // namespace coll_topo::importing
