// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/decision.hpp"

namespace coll_topo::test {

inline const Candidate& chosen(const Decision& decision) {
    return decision.candidates.at(decision.chosen);
}

/// On a full torus these two are equally fast but for the number of messages.
inline bool uses_all_ports(const Candidate& candidate) {
    return candidate.algorithm->name == "bfb" ||
           ((candidate.algorithm->name == "bucket" || candidate.algorithm->name == "multi_ring") &&
            candidate.problem.lanes >= 4) ||
           (candidate.algorithm->name == "two_way_ring" && candidate.problem.lanes >= 2);
}

}  // namespace coll_topo::test
