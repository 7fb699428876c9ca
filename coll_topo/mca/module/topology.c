/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/topology.h"

#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/profile.h"
#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/module/slurm.h"

#include "ompi/proc/proc.h"
#include "opal/mca/hwloc/base/base.h"
#include "opal/util/arch.h"
#include "opal/util/proc.h"

#include <stdio.h>
#include <string.h>

coll_topo_topology* coll_topo_topology_of_job;
struct coll_topo_record coll_topo_own_record;

static coll_topo_rules* rules_of_job;

/* Why this process is UNUSABLE. */
static char failure[2048];
static enum { TOPOLOGY_FAILED, SLURM_FAILED, RULES_FAILED, PLACEMENT_FAILED } failed;

/* The data representation counts too: Open MPI may mix machines whose packed data differ in size, and releases that
 * give other lanes tags of their own. */
static uint64_t digest_of(const coll_topo_topology* topology, const coll_topo_rules* rules) {
    uint64_t digest = coll_topo_slurm_wanted() ? coll_topo_slurm_digest() : coll_topo_topology_digest(topology);
    digest = coll_topo_digest_number(digest, coll_topo_rules_digest(rules));
    digest = coll_topo_digest_number(digest, opal_local_arch);
    digest = coll_topo_digest_number(digest, COLL_TOPO_FIXED_TAGS);
    return coll_topo_parameters_digest(digest);
}

/* By name; where the names in the file are not those of the hosts, by addresses or by the coordinates noted in hwloc.
 * -1: not listed; -2: several hosts fit. */
static int find_own_host(const coll_topo_topology* topology, const char* host_name) {
    char coordinates[64];
    int host = coll_topo_topology_find_host(topology, host_name, failure, sizeof failure);
    if (host == -1) {
        host = coll_topo_topology_host_by_address(topology, opal_hwloc_topology, failure, sizeof failure);
    }
    if (host == -1 && opal_hwloc_topology != NULL &&
        coll_topo_hwloc_coordinates(opal_hwloc_topology, coordinates, sizeof coordinates) == 1) {
        host = coll_topo_topology_host_at(topology, coordinates);
    }
    return host;
}

static enum coll_topo_readiness place_on_host(const coll_topo_topology* topology, struct coll_topo_record* record) {
    const char* place = coll_topo_parameters.place;
    if (coll_topo_slurm_wanted()) {
        record->location.host = -1; /* known for each communicator */
        if (place == NULL || place[0] == '\0' || strcmp(place, "host") == 0) {
            return COLL_TOPO_READY;
        }
        snprintf(failure, sizeof failure, "ranks cannot be placed on a topology of Slurm, only where they run");
        failed = PLACEMENT_FAILED;
        return COLL_TOPO_UNUSABLE;
    }
    if (place == NULL || place[0] == '\0' || strcmp(place, "host") == 0) {
        record->location.host = find_own_host(topology, record->host_name);
        if (record->location.host == COLL_TOPO_SEVERAL_HOSTS) {
            failed = TOPOLOGY_FAILED;
            return COLL_TOPO_UNUSABLE;
        }
        return record->location.host < 0 ? COLL_TOPO_NOT_LISTED : COLL_TOPO_READY;
    }
    record->location.host =
        coll_topo_place_rank(topology, place, coll_topo_parameters.ranks_per_host, ompi_proc_world_size(),
                             (int)OPAL_PROC_MY_NAME.vpid, failure, sizeof failure);
    if (record->location.host < 0) {
        failed = PLACEMENT_FAILED;
        return COLL_TOPO_UNUSABLE;
    }
    return COLL_TOPO_READY;
}

/* Whether the rules, if a file of them is set, are there. */
static bool load_rules(void) {
    const char* path = coll_topo_parameters.rules_file;
    if (path == NULL || path[0] == '\0') {
        return true;
    }
    if (coll_topo_rules_load(path, &rules_of_job, failure, sizeof failure) != COLL_TOPO_OK) {
        rules_of_job = NULL;
        failed = RULES_FAILED;
        return false;
    }
    coll_topo_parameters.settings.rules = rules_of_job;
    return true;
}

static enum coll_topo_readiness load(struct coll_topo_record* record) {
    const char* path = coll_topo_parameters.topology_file;
    const char* wrong = NULL;
    if (coll_topo_parameters.priority < 0) {
        return COLL_TOPO_SWITCHED_OFF;
    }
    if (path == NULL || path[0] == '\0') {
        return COLL_TOPO_NO_FILE;
    }
    wrong = coll_topo_parameters_check();
    if (wrong != NULL && OPAL_PROC_MY_NAME.vpid == 0) {
        coll_topo_report_parameter(wrong);
    }
    if (coll_topo_slurm_wanted()) {
        if (coll_topo_slurm_open(&coll_topo_topology_of_job, failure, sizeof failure) != COLL_TOPO_OK) {
            failed = SLURM_FAILED;
            return COLL_TOPO_UNUSABLE;
        }
    } else if (coll_topo_topology_load(path, &coll_topo_topology_of_job, failure, sizeof failure) != COLL_TOPO_OK) {
        coll_topo_topology_of_job = NULL;
        return COLL_TOPO_UNUSABLE;
    }
    if (OPAL_PROC_MY_NAME.vpid == 0) {
        coll_topo_report_doubts(coll_topo_topology_of_job);
    }
    if (!load_rules()) {
        return COLL_TOPO_UNUSABLE;
    }
    if (opal_hwloc_base_get_topology() == OPAL_SUCCESS) {
        coll_topo_locate(opal_hwloc_topology, &record->location);
    }
    record->digest = digest_of(coll_topo_topology_of_job, rules_of_job);
    return place_on_host(coll_topo_topology_of_job, record);
}

void coll_topo_topology_open(void) {
    struct coll_topo_record* record = &coll_topo_own_record;
    memset(record, 0, sizeof *record);
    record->layout = COLL_TOPO_RECORD_LAYOUT;
    record->required = coll_topo_parameters.require;
    record->profiled = coll_topo_profile_wanted();
    record->build = coll_topo_build_fingerprint();
    record->location =
        (coll_topo_location){-1, COLL_TOPO_UNBOUND, COLL_TOPO_UNBOUND, COLL_TOPO_UNBOUND, COLL_TOPO_UNBOUND, 0};
    snprintf(record->host_name, sizeof record->host_name, "%s", opal_process_info.nodename);
    record->readiness = (uint16_t)load(record);
    if (record->readiness != COLL_TOPO_READY) {
        coll_topo_topology_close();
    }
}

void coll_topo_topology_explain(void) {
    switch (coll_topo_own_record.readiness) {
        case COLL_TOPO_NO_FILE:
            coll_topo_report_no_file(coll_topo_parameters_need_topology());
            break;
        case COLL_TOPO_NOT_LISTED:
            coll_topo_report_not_listed(coll_topo_parameters.topology_file);
            break;
        case COLL_TOPO_UNUSABLE:
            if (failed == PLACEMENT_FAILED) {
                coll_topo_report_trial_placement(coll_topo_parameters.place, failure);
            } else if (failed == RULES_FAILED) {
                coll_topo_report_unreadable_rules(coll_topo_parameters.rules_file, failure);
            } else if (failed == SLURM_FAILED) {
                coll_topo_report_no_slurm(failure);
            } else {
                coll_topo_report_unreadable(coll_topo_parameters.topology_file, failure);
            }
            break;
        default:
            break;
    }
}

void coll_topo_topology_close(void) {
    coll_topo_topology_free(coll_topo_topology_of_job);
    coll_topo_topology_of_job = NULL;
    coll_topo_rules_free(rules_of_job);
    rules_of_job = NULL;
    coll_topo_parameters.settings.rules = NULL;
}
