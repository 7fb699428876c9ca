// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/machine_reader.hpp"

#include "coll_topo/base/return_if_error.hpp"

namespace coll_topo {

Expected<void> read_machine(const Statement& statement, Fabric& fabric) {
    for (const MachineKey& key : machine_keys) {
        if (!statement.has(key.name)) continue;
        ASSIGN_OR_RETURN(fabric.costs.*key.cost, key.parse(statement.value(key.name)));
    }
    return {};
}

}  // namespace coll_topo
