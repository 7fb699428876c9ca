// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/catalogue.hpp"

#include "coll_topo/engine/engine.h"

using namespace coll_topo;

// Names in the tables are string literals, so they end with a null character.

const char* coll_topo_collective_name(int collective) {
    return call_name(static_cast<Call>(collective)).data();
}

int coll_topo_algorithms(void) {
    return static_cast<int>(catalogue().size());
}

const char* coll_topo_algorithm_name(int row) {
    return catalogue()[row].get().name.data();
}

const char* coll_topo_algorithm_summary(int row) {
    return catalogue()[row].get().summary.data();
}

int coll_topo_algorithm_serves(int row, int collective) {
    return catalogue()[row].get().serves(static_cast<Call>(collective));
}
