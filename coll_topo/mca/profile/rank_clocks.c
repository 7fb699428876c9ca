/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/profile/rank_clocks.h"

#include "coll_topo/mca/profile/communicator_profile.h"

enum { ROUNDS = 8 };

/* The shortest of some rounds is the one in which messages were held up least. */
static int ask_parent(const struct coll_topo_rank_tree* tree, int parent, struct coll_topo_clock_reading* reading) {
    int64_t shortest = INT64_MAX, offset = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        int64_t theirs = 0;
        const int64_t asked = coll_topo_now();
        int error = coll_topo_tree_send(tree, parent, &asked, sizeof asked);
        if (error == OMPI_SUCCESS) {
            error = coll_topo_tree_receive(tree, parent, &theirs, sizeof theirs);
        }
        if (error != OMPI_SUCCESS) {
            return error;
        }
        const int64_t answered = coll_topo_now();
        if (answered - asked < shortest) {
            shortest = answered - asked;
            offset = theirs - (asked + shortest / 2);
        }
    }
    const bool same = offset <= shortest / 2 && offset >= -shortest / 2;
    struct coll_topo_clock_reading of_parent;
    const int error = coll_topo_tree_receive(tree, parent, &of_parent, sizeof of_parent);
    reading->offset = of_parent.offset + (same ? 0 : offset);
    reading->error = of_parent.error + (same ? 0 : shortest / 2);
    return error;
}

static int answer_child(const struct coll_topo_rank_tree* tree, int child,
                        const struct coll_topo_clock_reading* reading) {
    for (int round = 0; round < ROUNDS; ++round) {
        int64_t asked = 0;
        int error = coll_topo_tree_receive(tree, child, &asked, sizeof asked);
        const int64_t now = coll_topo_now();
        if (error == OMPI_SUCCESS) {
            error = coll_topo_tree_send(tree, child, &now, sizeof now);
        }
        if (error != OMPI_SUCCESS) {
            return error;
        }
    }
    return coll_topo_tree_send(tree, child, reading, sizeof *reading);
}

int coll_topo_compare_clocks(const struct coll_topo_rank_tree* tree, struct coll_topo_clock_reading* reading) {
    const int parent = coll_topo_tree_parent(tree);
    int error = OMPI_SUCCESS;
    *reading = (struct coll_topo_clock_reading){0};
    if (parent >= 0) {
        error = ask_parent(tree, parent, reading);
    }
    reading->at = coll_topo_now();
    for (int number = 0; error == OMPI_SUCCESS && coll_topo_tree_child(tree, number) >= 0; ++number) {
        error = answer_child(tree, coll_topo_tree_child(tree, number), reading);
    }
    return error;
}

int64_t coll_topo_common_time(int64_t time, const struct coll_topo_clock_reading* first,
                              const struct coll_topo_clock_reading* last) {
    if (first->at == 0 || last->at <= first->at || first->offset == last->offset) {
        return time + last->offset;
    }
    const double share = (double)(time - first->at) / (double)(last->at - first->at);
    return time + first->offset + (int64_t)(share * (double)(last->offset - first->offset));
}
