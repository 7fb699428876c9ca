// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"

#include <limits>
#include <string_view>

namespace coll_topo {

/// Where all ranks of a communicator are on one host, no link is shared, and messages gain nothing from a schedule.
/// From this many bytes of a vector (of all its pieces) on, one pays off all the same; infinite: never. Measured with
/// 2, 4 and 8 ranks from 8 B to 64 MiB against tuned. By messages, tuned was as fast or faster in everything but long
/// reduce_scatter, where it took 2 to 4 times as long. Through memory, coll_topo was faster but for the shortest bcast
/// and reduce, in which a rank only sends and goes on, and Open MPI has room for more messages that nobody looks at
/// yet. Gather, scatter, scans and calls to neighbours, which were not measured, are taken to be like these. Where
/// ranks take turns on processors, short bcast and reduce were faster too, in which no message waits for another one.
constexpr double least_bytes_within_host(Collective collective, bool host_memory, bool takes_turns) {
    const bool scatters = collective == Collective::reduce_scatter || collective == Collective::reduce_scatter_block;
    const bool in_turns = takes_turns && (collective == Collective::bcast || collective == Collective::reduce);
    if (host_memory) return is_rooted(collective) && !in_turns ? 512 : 0;
    return scatters ? 128 * 1024 : std::numeric_limits<double>::infinity();
}

constexpr std::string_view why_not_within_host = "all ranks are on one host, where other modules are as fast";

}  // namespace coll_topo
