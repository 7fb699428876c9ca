// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"

#include <limits>
#include <string_view>

namespace coll_topo {

/// Where all ranks of a communicator are on one host, no link is shared, and a schedule of messages gains nothing from
/// the network. From this many bytes of a vector (of all its pieces) on, one pays off all the same; infinite: never.
/// Measured with 2, 4 and 8 ranks from 8 B to 2 MiB against tuned and HAN, which were as fast or faster in everything
/// but long reduce_scatter, where tuned took 2 to 4 times as long. Where ranks combine what they read in each other's
/// memory, it took 1.3 to 2 times as long in these two from 8 KiB on, with 2 and 4 ranks to 16 MiB.
constexpr double least_bytes_within_host(Collective collective, bool host_memory) {
    const bool scatters = collective == Collective::reduce_scatter || collective == Collective::reduce_scatter_block;
    if (host_memory) return 0;
    return scatters ? 128 * 1024 : std::numeric_limits<double>::infinity();
}

constexpr std::string_view why_not_within_host = "all ranks are on one host, where other modules are as fast";

}  // namespace coll_topo
