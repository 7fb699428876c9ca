/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/profile/rank_tree.h"

#include "coll_topo/mca/module/common_settings.h"
#include "coll_topo/mca/module/messages.h"
#include "coll_topo/mca/module/peers.h"
#include "coll_topo/mca/module/report.h"

#include "ompi/communicator/communicator.h"

#include <stdlib.h>
#include <string.h>

static struct ompi_communicator_t* world(void) {
    return &ompi_mpi_comm_world.comm;
}

/* Whether this rank is the lowest with a profile, as far as it knows. Where it misses who is lower, one of each host
 * takes itself for the first. */
static bool is_first(const struct coll_topo_peer* peers) {
    for (int rank = 0; rank < ompi_comm_rank(world()); ++rank) {
        if (peers[rank].profiled) {
            return false;
        }
        if (peers[rank].kind == COLL_TOPO_PEER_ABSENT) {
            return opal_process_info.my_local_rank == 0;
        }
    }
    return true;
}

/* Where a record may come too late for some of the ranks: whether all ranks know that all have a profile. Who misses
 * one says so and waits for none, so others may learn of it in any of their calls. */
static int agree(const struct coll_topo_peer* peers, int missed) {
    const struct coll_topo_common_settings nothing = {0};
    struct coll_topo_comparison all = {.missed = -1};
    for (int rank = 0; rank < ompi_comm_size(world()) && missed < 0; ++rank) {
        missed = peers[rank].profiled ? missed : rank;
    }
    const int error =
        missed >= 0 ? coll_topo_settings_decline(world(), missed) : coll_topo_settings_compare(world(), &nothing, &all);
    if (error != OMPI_SUCCESS || (missed < 0 && all.missed < 0)) {
        return error;
    }
    if (is_first(peers)) {
        coll_topo_report_profile_of_some();
    }
    return OMPI_ERR_NOT_FOUND;
}

int coll_topo_rank_tree_make(struct coll_topo_rank_tree* tree) {
    const int size = ompi_comm_size(world());
    memset(tree, 0, sizeof *tree);
    struct coll_topo_peer* peers = calloc((size_t)size, sizeof *peers);
    tree->ranks = malloc((size_t)size * sizeof *tree->ranks);
    tree->host_of_rank = malloc((size_t)size * sizeof *tree->host_of_rank);
    if (peers == NULL || tree->ranks == NULL || tree->host_of_rank == NULL) {
        free(peers);
        coll_topo_rank_tree_free(tree);
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    const int missed = coll_topo_peers_look_up(world(), peers);
    const int error = COLL_TOPO_MODEX_IS_WHOLE ? OMPI_SUCCESS : agree(peers, missed);
    if (error != OMPI_SUCCESS) {
        free(peers);
        coll_topo_rank_tree_free(tree);
        return error;
    }
    for (int rank = 0; rank < size; ++rank) {
        tree->host_of_rank[rank] = peers[rank].kind == COLL_TOPO_PEER_EQUAL ? peers[rank].location.host : -1;
        if (peers[rank].profiled) {
            tree->own = rank == ompi_comm_rank(world()) ? tree->size : tree->own;
            tree->ranks[tree->size++] = rank;
        }
    }
    free(peers);
    return OMPI_SUCCESS;
}

void coll_topo_rank_tree_free(struct coll_topo_rank_tree* tree) {
    free(tree->ranks);
    free(tree->host_of_rank);
    memset(tree, 0, sizeof *tree);
}

int coll_topo_tree_parent(const struct coll_topo_rank_tree* tree) {
    return tree->own == 0 ? -1 : tree->own & (tree->own - 1);
}

/* Those of index i are i + 1, i + 2, i + 4, ... below its lowest bit. */
int coll_topo_tree_child(const struct coll_topo_rank_tree* tree, int number) {
    const int64_t distance = INT64_C(1) << number;
    const bool own = tree->own == 0 || distance < (tree->own & -tree->own);
    return own && tree->own + distance < tree->size ? (int)(tree->own + distance) : -1;
}

int coll_topo_tree_send(const struct coll_topo_rank_tree* tree, int index, const void* data, size_t size) {
    return coll_topo_message_send(world(), tree->ranks[index], data, size);
}

int coll_topo_tree_receive(const struct coll_topo_rank_tree* tree, int index, void* data, size_t size) {
    return coll_topo_message_receive(world(), tree->ranks[index], data, size);
}

static int send_packed(const struct coll_topo_rank_tree* tree, int index, const void* bytes, uint64_t size) {
    const int error = coll_topo_tree_send(tree, index, &size, sizeof size);
    return error == OMPI_SUCCESS && size > 0 ? coll_topo_tree_send(tree, index, bytes, size) : error;
}

static int receive_and_merge(const struct coll_topo_rank_tree* tree, int index, const struct coll_topo_tree_data* of) {
    uint64_t size = 0;
    int error = coll_topo_tree_receive(tree, index, &size, sizeof size);
    if (error != OMPI_SUCCESS || size == 0) {
        return error;
    }
    void* bytes = malloc(size);
    if (bytes == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    error = coll_topo_tree_receive(tree, index, bytes, size);
    if (error == OMPI_SUCCESS) {
        of->merge(of->data, bytes, size);
    }
    free(bytes);
    return error;
}

int coll_topo_tree_collect(const struct coll_topo_rank_tree* tree, const struct coll_topo_tree_data* of) {
    const int parent = coll_topo_tree_parent(tree);
    void* bytes = NULL;
    size_t size = 0;
    for (int number = 0; coll_topo_tree_child(tree, number) >= 0; ++number) {
        const int error = receive_and_merge(tree, coll_topo_tree_child(tree, number), of);
        if (error != OMPI_SUCCESS) {
            return error;
        }
    }
    if (parent < 0) {
        return OMPI_SUCCESS;
    }
    if (of->pack(of->data, &bytes, &size) != COLL_TOPO_OK) {
        size = 0;
    }
    const int error = send_packed(tree, parent, bytes, size);
    free(bytes);
    return error;
}

int coll_topo_tree_spread(const struct coll_topo_rank_tree* tree, const struct coll_topo_tree_data* of) {
    const int parent = coll_topo_tree_parent(tree);
    void* bytes = NULL;
    size_t size = 0;
    int error = parent < 0 ? OMPI_SUCCESS : receive_and_merge(tree, parent, of);
    if (error != OMPI_SUCCESS || coll_topo_tree_child(tree, 0) < 0) {
        return error;
    }
    if (of->pack(of->data, &bytes, &size) != COLL_TOPO_OK) {
        size = 0;
    }
    for (int number = 0; error == OMPI_SUCCESS && coll_topo_tree_child(tree, number) >= 0; ++number) {
        error = send_packed(tree, coll_topo_tree_child(tree, number), bytes, size);
    }
    free(bytes);
    return error;
}
