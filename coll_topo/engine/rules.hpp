// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/rules.hpp"

/// What the opaque handle of engine.h holds.
struct coll_topo_rules {
    coll_topo::Rules list;
};
