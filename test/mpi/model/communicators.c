/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/model/communicators.h"

#include "test/mpi/model/parameters.h"
#include "test/mpi/session.h"

#include <stdlib.h>

/* Without the component; all others are made of it. */
static MPI_Comm base;
/* Those without it that calls run on, by construction, order, topology and members, as they are needed. */
struct kept {
    bool made;
    MPI_Comm communicator;
};
static struct kept* stock;

static size_t stock_size(void) {
    return (size_t)(CONSTRUCTIONS * ORDERS * (BOXES + 1) * (session.ranks + 1));
}

void communicators_open(void) {
    parameters_set_component(false);
    MPI_Comm_dup(MPI_COMM_WORLD, &base);
    stock = calloc(stock_size(), sizeof *stock);
}

void communicators_close(void) {
    for (size_t i = 0; i < stock_size(); i++)
        if (stock[i].made) communicator_free(stock[i].communicator);
    free(stock);
    MPI_Comm_free(&base);
}

/* The ranks of the world in the order of the communicator; the first `members` of them are in it. */
static void list_ranks(const struct call* call, int* ranks) {
    for (int i = 0; i < session.ranks; i++) ranks[i] = call->order == DESCENDING ? session.ranks - 1 - i : i;
    if (call->order != MIXED) return;
    for (int i = session.ranks - 1; i > 0; i--) {
        const int other = (int)(mix(17, (uint64_t)i) % (uint64_t)(i + 1)), kept = ranks[i];
        ranks[i] = ranks[other];
        ranks[other] = kept;
    }
}

static MPI_Comm of_group(const int* ranks, int members) {
    MPI_Group all, part;
    MPI_Comm communicator = MPI_COMM_NULL;
    int place;
    MPI_Comm_group(base, &all);
    MPI_Group_incl(all, members, ranks, &part);
    MPI_Group_rank(part, &place);
    if (place != MPI_UNDEFINED) MPI_Comm_create_group(base, part, 7, &communicator);
    MPI_Group_free(&all);
    MPI_Group_free(&part);
    return communicator;
}

/* The same ranks in their order. */
static void give_topology(int cartesian, MPI_Comm* communicator) {
    int ranks, sizes[MOST_DIMENSIONS], periods[MOST_DIMENSIONS];
    MPI_Comm made;
    MPI_Comm_size(*communicator, &ranks);
    const int dimensions = box_of(cartesian, ranks, sizes, periods);
    MPI_Cart_create(*communicator, dimensions, sizes, periods, 0, &made);
    MPI_Comm_free(communicator);
    *communicator = made;
}

static MPI_Comm make(const struct call* call) {
    const int members = call->members > 0 && call->members < session.ranks ? call->members : session.ranks;
    int* ranks = malloc((size_t)session.ranks * sizeof *ranks);
    int place = 0;
    MPI_Comm communicator = MPI_COMM_NULL;
    list_ranks(call, ranks);
    while (ranks[place] != session.rank) place++;
    if (call->construction == BY_GROUP || (call->construction == BY_DUPLICATE && members < session.ranks))
        communicator = of_group(ranks, members);
    else if (call->construction == BY_DUPLICATE && call->order == ASCENDING)
        MPI_Comm_dup(base, &communicator);
    else
        MPI_Comm_split(base, place < members, place, &communicator);
    free(ranks);
    if (communicator == MPI_COMM_NULL) return communicator;
    int size;
    MPI_Comm_size(communicator, &size);
    if (size == 1) {
        MPI_Comm_free(&communicator);
        return communicator;
    }
    if (call->cartesian > 0 || is_to_neighbors(call->collective)) give_topology(call->cartesian, &communicator);
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    return communicator;
}

MPI_Comm communicator_new(const struct call* call) {
    parameters_set_component(true);
    const MPI_Comm communicator = make(call);
    parameters_set_component(false);
    if (communicator != MPI_COMM_NULL && call->reproducible != 0) {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "coll_topo_reproducible", reproducible_names[call->reproducible]);
        MPI_Comm_set_info(communicator, info);
        MPI_Info_free(&info);
    }
    return communicator;
}

void communicator_free(MPI_Comm communicator) {
    if (communicator != MPI_COMM_NULL) MPI_Comm_free(&communicator);
}

MPI_Comm communicator_without_component(const struct call* call) {
    const int box = call->cartesian == 0 && is_to_neighbors(call->collective) ? 1 : call->cartesian;
    const int kind = (call->construction * ORDERS + call->order) * (BOXES + 1) + box;
    struct kept* kept = &stock[kind * (session.ranks + 1) + call->members];
    if (!kept->made) *kept = (struct kept){true, make(call)};
    return kept->communicator;
}
