// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/scenario/scenario.hpp"

#include <cstdint>
#include <optional>

namespace coll_topo::tool {

/// Bytes of memory that this machine has for programs at the moment; nothing if it does not say.
std::optional<std::int64_t> available_memory();

/// The programs of all ranks, if these can be proved in so many bytes. Fails, before it takes them, with what is
/// needed.
Expected<Schedule> build_provable_schedule(const Scenario& scenario, const Candidate& candidate,
                                           std::optional<std::int64_t> available);

/// That a proof is given up for lack of memory; `need` is what it takes, where that is known.
Error out_of_memory(const Scenario& scenario, const std::string& need);

}  // namespace coll_topo::tool
