/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/profile/rank_waiting.h"

#include "coll_topo/mca/profile/profiled_communicators.h"

static coll_topo_call_name name_of(const struct coll_topo_communicator_profile* profile,
                                   const struct coll_topo_kind* kind, int number) {
    return (coll_topo_call_name){.communicator = profile->identity,
                                 .kind = (uint32_t)(kind->collective * COLL_TOPO_SIZE_CLASSES + kind->size_class),
                                 .number = (uint32_t)number};
}

static void add_arrivals(coll_topo_arrivals* arrivals, struct coll_topo_communicator_profile* profile,
                         const struct coll_topo_clock_reading* last) {
    for (; profile != NULL; profile = profile->next) {
        FOR_EACH_KIND(kind, profile) {
            for (int number = 0; number < kind->looks; ++number) {
                const struct coll_topo_look* look = &kind->look[number];
                const coll_topo_call_name call = name_of(profile, kind, number);
                coll_topo_arrivals_add(
                    arrivals, &call, (look->role & COLL_TOPO_AWAITED) != 0,
                    coll_topo_common_time(look->entered, &coll_topo_profiled_job.first_reading, last),
                    coll_topo_common_time(look->left, &coll_topo_profiled_job.first_reading, last));
            }
        }
    }
}

static void count_look(const struct coll_topo_communicator_profile* profile, const struct coll_topo_look* look,
                       const coll_topo_last_arrivals* of_all, const struct coll_topo_clock_reading* last) {
    const int64_t entered = coll_topo_common_time(look->entered, &coll_topo_profiled_job.first_reading, last);
    const int64_t taken = look->left > look->entered ? look->left - look->entered : 0;
    int64_t waited = (look->role & COLL_TOPO_WAITS) != 0 ? of_all->awaited - entered : 0;
    waited = waited < 0 ? 0 : waited;
    waited = waited > taken ? taken : waited;
    coll_topo_profile_add_waiting(coll_topo_profiled_job.profile, look->row, (double)taken, (double)waited);
    if (profile->rank == 0) {
        const int64_t transfer = of_all->left - of_all->entered;
        coll_topo_profile_add_transfer(coll_topo_profiled_job.profile, look->row,
                                       transfer > 0 ? (uint64_t)transfer : 0);
    }
}

static void count_waiting(const coll_topo_arrivals* arrivals, struct coll_topo_communicator_profile* profile,
                          const struct coll_topo_clock_reading* last) {
    for (; profile != NULL; profile = profile->next) {
        FOR_EACH_KIND(kind, profile) {
            for (int number = 0; number < kind->looks; ++number) {
                coll_topo_last_arrivals of_all;
                const coll_topo_call_name call = name_of(profile, kind, number);
                if (kind->look[number].row >= 0 && coll_topo_arrivals_find(arrivals, &call, profile->ranks, &of_all)) {
                    count_look(profile, &kind->look[number], &of_all, last);
                }
            }
        }
    }
}

static int pack_arrivals(const void* data, void** bytes, size_t* size) {
    return coll_topo_arrivals_pack(data, bytes, size);
}

static int merge_arrivals(void* data, const void* bytes, size_t size) {
    return coll_topo_arrivals_merge(data, bytes, size);
}

/* When the last rank entered each call that is looked at, and with that how long this one waited. */
int coll_topo_count_waiting(const struct coll_topo_rank_tree* tree) {
    struct coll_topo_clock_reading last;
    coll_topo_arrivals* own = coll_topo_arrivals_new();
    coll_topo_arrivals* all = coll_topo_arrivals_new();
    int error = coll_topo_compare_clocks(tree, &last);
    if (own != NULL && all != NULL && error == OMPI_SUCCESS) {
        coll_topo_profile_note_clock_error(coll_topo_profiled_job.profile, 1e-9 * (double)last.error);
        add_arrivals(own, coll_topo_profiled_job.in_use, &last);
        add_arrivals(own, coll_topo_profiled_job.freed, &last);
        const struct coll_topo_tree_data collected = {own, pack_arrivals, merge_arrivals};
        const bool is_first = coll_topo_tree_parent(tree) < 0;
        const struct coll_topo_tree_data known = {is_first ? own : all, pack_arrivals, merge_arrivals};
        error = coll_topo_tree_collect(tree, &collected);
        if (error == OMPI_SUCCESS) {
            error = coll_topo_tree_spread(tree, &known);
        }
        if (error == OMPI_SUCCESS) {
            count_waiting(known.data, coll_topo_profiled_job.in_use, &last);
            count_waiting(known.data, coll_topo_profiled_job.freed, &last);
        }
    }
    coll_topo_arrivals_free(own);
    coll_topo_arrivals_free(all);
    return error;
}
