/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/unequal_pieces.h"

#include <string.h>

bool coll_topo_unequal_set_answers(struct coll_topo_unequal* call, coll_topo_buffers* buffers) {
    const bool is_root = coll_topo_unequal_is_root(call);
    size_t answers = 0;
    call->answer = 0;
    for (int rank = 0; rank < call->ranks; ++rank) {
        call->answer_sizes[rank] = rank != call->root && call->sizes[rank] > 0 ? 1 : 0;
        answers += call->answer_sizes[rank];
    }
    if (is_root) {
        call->answer = answers == (size_t)call->ranks - 1;
        memset(call->answers, call->answer, answers);
    }
    *buffers = (coll_topo_buffers){.input = is_root ? call->answers : NULL,
                                   .output = &call->answer,
                                   .elements = answers,
                                   .piece_elements = {.sizes = call->answer_sizes}};
    return answers > 0;
}

bool coll_topo_unequal_goes_by_plan(struct coll_topo_unequal* call) {
    call->cells.short_bytes = 0;
    return call->answer != 0;
}
