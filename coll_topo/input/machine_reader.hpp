// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/statement.hpp"

namespace coll_topo {

inline Expected<double> parse_amount(const Located& text) {
    ASSIGN_OR_RETURN(const std::int64_t bytes, parse_bytes(text));
    return static_cast<double>(bytes);
}

/// A key of the statement Machine, and the cost it gives.
struct MachineKey {
    std::string_view name;
    Expected<double> (*parse)(const Located&);
    double MachineCosts::*cost;
};
inline constexpr MachineKey machine_keys[] = {
    {"MessageTime", parse_latency, &MachineCosts::message_time},
    {"LocalMessageTime", parse_latency, &MachineCosts::local_message_time},
    {"SharedMessageTime", parse_latency, &MachineCosts::shared_message_time},
    {"LocalBandwidth", parse_bandwidth, &MachineCosts::local_bandwidth},
    {"ReduceBandwidth", parse_bandwidth, &MachineCosts::reduce_bandwidth},
    {"CopyBandwidth", parse_bandwidth, &MachineCosts::copy_bandwidth},
    {"MemoryBandwidth", parse_bandwidth, &MachineCosts::memory_bandwidth},
    {"LinkBurst", parse_amount, &MachineCosts::link_burst},
    {"EagerLimit", parse_amount, &MachineCosts::eager_limit},
};

/// Reads the statement Machine into the costs of a fabric.
Expected<void> read_machine(const Statement& statement, Fabric& fabric);

}  // namespace coll_topo
