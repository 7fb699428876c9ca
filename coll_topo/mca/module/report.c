/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/report.h"

#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/message_text.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/topology.h"

#include "ompi/communicator/communicator.h"
#include "ompi/runtime/mpiruntime.h"
#include "opal/util/output.h"
#include "opal/util/proc.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int output = -1;

/* The last line of a message: what happens now. */
static const char* consequence(bool required) {
    if (required) {
        return "The first collective aborts the job because coll_topo_require is set.";
    }
    return coll_topo_parameters.settings.reproducible == COLL_TOPO_ANY_ORDER
               ? "Collectives go on without coll_topo."
               : "Collectives go on without coll_topo, and their results may differ\nfrom run to run: "
                 "coll_topo_reproducible has no effect.";
}

/* Not by opal_show_help, although that would show what many processes send once: Open MPI 4.1 with newer PMIx libraries
 * loses some of those messages. So callers make sure that only one process reports. */
static void show(const char* topic, ...) {
    va_list arguments;
    va_start(arguments, topic);
    char* text = coll_topo_message_text(topic, arguments);
    va_end(arguments);
    if (text != NULL) {
        fputs(text, stderr);
        fflush(stderr);
        free(text);
    }
}

void coll_topo_report_unreadable(const char* path, const char* message) {
    show("unreadable-topology", opal_process_info.nodename, path, message, consequence(coll_topo_parameters.require));
}

void coll_topo_report_no_slurm(const char* message) {
    show("no-slurm-topology", opal_process_info.nodename, message, consequence(coll_topo_parameters.require));
}

void coll_topo_report_unreadable_rules(const char* path, const char* message) {
    show("unreadable-rules", opal_process_info.nodename, path, message, consequence(coll_topo_parameters.require));
}

void coll_topo_report_trial_placement(const char* place, const char* message) {
    show("trial-placement", (int)OPAL_PROC_MY_NAME.vpid, place, message, consequence(coll_topo_parameters.require));
}

void coll_topo_report_not_listed(const char* path) {
    show("not-listed", opal_process_info.nodename, path, consequence(coll_topo_parameters.require));
}

void coll_topo_report_doubts(const coll_topo_topology* topology) {
    for (int number = 0; coll_topo_topology_doubt(topology, number) != NULL; ++number) {
        show("doubtful-topology", coll_topo_topology_doubt(topology, number));
    }
}

void coll_topo_report_parameter(const char* name) {
    show("bad-parameter", name);
}

void coll_topo_report_no_progress_thread(void) {
    show("no-progress-thread");
}

void coll_topo_report_no_file(const char* needs_it) {
    show("no-topology-file", needs_it, opal_process_info.nodename, needs_it, consequence(coll_topo_parameters.require));
}

/* Many communicators may fail for the same reason, also those that HAN makes of the ranks of one; only the first is
 * reported. */
static atomic_flag told = ATOMIC_FLAG_INIT;

static bool first_failure(void) {
    return !atomic_flag_test_and_set(&told);
}

void coll_topo_report_is_elsewhere(void) {
    atomic_flag_test_and_set(&told);
}

static void abort_if(bool required, struct ompi_communicator_t* communicator) {
    if (required) {
        ompi_mpi_abort(communicator, 1);
    }
}

void coll_topo_abort_if_required(struct ompi_communicator_t* communicator) {
    abort_if(coll_topo_parameters.require, communicator);
}

void coll_topo_report_differences(struct ompi_communicator_t* communicator, int compared_to, const char* differences,
                                  bool required) {
    if (first_failure()) {
        show("ranks-differ", communicator->c_name, compared_to, opal_process_info.nodename, differences,
             consequence(required));
    }
    abort_if(required, communicator);
}

void coll_topo_report_cannot_plan(struct ompi_communicator_t* communicator, const char* reason) {
    if (first_failure()) {
        show("cannot-plan", communicator->c_name, reason, consequence(coll_topo_parameters.require));
    }
    coll_topo_abort_if_required(communicator);
}

void coll_topo_report_not_reproducible(struct ompi_communicator_t* communicator) {
    if (first_failure()) {
        show("not-reproducible", communicator->c_name, consequence(coll_topo_parameters.require));
    }
    coll_topo_abort_if_required(communicator);
}

void coll_topo_report_unknown_mode(struct ompi_communicator_t* communicator, const char* value) {
    show("unknown-mode", communicator->c_name, value,
         coll_topo_reproducible_names[coll_topo_parameters.settings.reproducible]);
}

void coll_topo_report_text(struct ompi_communicator_t* communicator, const char* text) {
    opal_output(output, "coll_topo: %s: %s", communicator->c_name, text);
}

void coll_topo_report_no_host_memory(struct ompi_communicator_t* communicator) {
    if (coll_topo_parameters.verbose > 0) {
        opal_output(output,
                    "coll_topo: %s: the ranks on %s send each other messages: one of them has coll_topo_host_memory "
                    "off, or may not share memory with the others, or read theirs",
                    communicator->c_name, opal_process_info.nodename);
    }
}

void coll_topo_report_plans(struct ompi_communicator_t* communicator, const coll_topo_topology* topology,
                            coll_topo_communicator* plans, int reproducible) {
    enum { WITH_NETWORK = 2 };
    const int verbose = coll_topo_parameters.verbose;
    const bool any_order = reproducible == COLL_TOPO_ANY_ORDER;
    if (verbose <= 0) {
        return;
    }
    if (verbose >= WITH_NETWORK) {
        coll_topo_report_text(communicator, coll_topo_topology_summary(topology));
    }
    opal_output(output, "coll_topo: %s: %s%s%s", communicator->c_name, coll_topo_communicator_summary(plans),
                any_order ? "" : "; reproducible: ", any_order ? "" : coll_topo_reproducible_names[reproducible]);
    coll_topo_communicator_explain(plans, verbose);
    const char* left = coll_topo_communicator_left(plans);
    if (left != NULL) {
        coll_topo_report_text(communicator, left);
    }
}

void coll_topo_report_nonblocking_text(struct ompi_communicator_t* communicator, const char* text) {
    opal_output(output, "coll_topo: %s, nonblocking: %s", communicator->c_name, text);
}

void coll_topo_report_nonblocking_plans(struct ompi_communicator_t* communicator, coll_topo_communicator* plans) {
    const int verbose = coll_topo_parameters.verbose;
    if (verbose <= 0) {
        return;
    }
    coll_topo_report_nonblocking_text(communicator, coll_topo_communicator_summary(plans));
    coll_topo_communicator_explain(plans, verbose);
    const char* left = coll_topo_communicator_left(plans);
    if (left != NULL) {
        coll_topo_report_nonblocking_text(communicator, left);
    }
}

void coll_topo_report_profile(const char* text) {
    opal_output(output, "coll_topo: %s", text);
}

void coll_topo_report_profile_not_written(const char* path, const char* message) {
    show("profile-not-written", opal_process_info.nodename, path, message);
}

void coll_topo_report_profile_of_some(void) {
    show("profile-of-some", opal_process_info.nodename);
}

/* Without host and process before each text, as tables are wide, and only rank 0 of a communicator speaks. */
static int open_output(void) {
    opal_output_stream_t stream;
    OBJ_CONSTRUCT(&stream, opal_output_stream_t);
    stream.lds_want_stderr = true;
    const int opened = opal_output_open(&stream);
    OBJ_DESTRUCT(&stream);
    return opened;
}

void coll_topo_report_open(void) {
    output = open_output();
}

void coll_topo_report_close(void) {
    if (output >= 0) {
        opal_output_close(output);
        output = -1;
    }
}
