// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/execution.h"

#include "coll_topo/engine/communicator.hpp"
#include "coll_topo/engine/guard.hpp"
#include "coll_topo/execute/execution.hpp"

#include <new>

struct coll_topo_execution {
    coll_topo::Execution execution;
    coll_topo_plan* plan = nullptr;  ///< while it is under way, if it might be forgotten and is not kept
    coll_topo_plan* kept = nullptr;  ///< that of all runs, if they repeat
};

using namespace coll_topo;

namespace {

/// The shortest calls notice atomic additions: plans that stay with the communicator need none.
void use(coll_topo_execution* execution, coll_topo_plan* plan) {
    if (execution->kept != nullptr || !is_rooted(plan->problem.collective)) return;
    ++plan->users;
    execution->plan = plan;
}

void end(coll_topo_execution* execution) {
    if (execution->kept != nullptr) return;
    if (execution->plan != nullptr) --execution->plan->users;
    execution->plan = nullptr;
    execution->execution.trim();
}

}  // namespace

coll_topo_execution* coll_topo_execution_create(void) {
    return new (std::nothrow) coll_topo_execution;
}

void coll_topo_execution_free(coll_topo_execution* execution) {
    delete execution;
}

void* coll_topo_execution_temporary(coll_topo_execution* execution, size_t bytes) {
    return execution->execution.temporary(bytes);
}

int coll_topo_execution_begin(coll_topo_execution* execution, coll_topo_plan* plan, coll_topo_transport* transport,
                              const coll_topo_buffers* buffers, int as_before) {
    use(execution, plan);
    const int error = guarded(
        nullptr, 0, [&] { return execution->execution.begin(plan->plan, *transport, *buffers, as_before != 0); });
    if (error != COLL_TOPO_OK) end(execution);
    return error;
}

int coll_topo_execution_begin_sizes(coll_topo_execution* execution, coll_topo_plan* plan, coll_topo_transport* bytes,
                                    int root, const coll_topo_cells* cells, size_t* sizes) {
    use(execution, plan);
    const int error =
        guarded(nullptr, 0, [&] { return execution->execution.begin_sizes(plan->plan, *bytes, root, *cells, sizes); });
    if (error != COLL_TOPO_OK) end(execution);
    return error;
}

int coll_topo_execution_repeat(coll_topo_execution* execution) {
    return guarded(nullptr, 0, [&] { return execution->execution.repeat(); });
}

int coll_topo_execution_advance(coll_topo_execution* execution, int looks, int* error) {
    bool ended = false;
    *error = guarded(nullptr, 0, [&] {
        ended = execution->execution.advance(looks);
        return ended ? execution->execution.error() : static_cast<int>(COLL_TOPO_OK);
    });
    if (!ended && *error == COLL_TOPO_OK) return 0;
    end(execution);
    return 1;
}

void coll_topo_execution_keep(coll_topo_execution* execution, coll_topo_plan* plan) {
    ++plan->users;
    execution->kept = plan;
}

void coll_topo_execution_let_go(coll_topo_execution* execution) {
    --execution->kept->users;
    execution->kept = nullptr;
    execution->execution.trim();
}
