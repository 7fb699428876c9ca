/* SPDX-License-Identifier: BSD-3-Clause */
/* All that the component says to people. The texts are in help-coll-topo.txt. What follows holds for many processes at
 * once and is to be called by one of them. */
#ifndef COLL_TOPO_MCA_REPORT_H
#define COLL_TOPO_MCA_REPORT_H

#include "coll_topo/engine/engine.h"

#include <stdbool.h>

struct ompi_communicator_t;

/* What prevents this process from using its topology. */
void coll_topo_report_no_slurm(const char* message);
void coll_topo_report_unreadable(const char* path, const char* message);
void coll_topo_report_unreadable_rules(const char* path, const char* message);
void coll_topo_report_trial_placement(const char* place, const char* message);
void coll_topo_report_not_listed(const char* path);
/* What is probably a mistake in the topology file. */
void coll_topo_report_doubts(const coll_topo_topology* topology);
void coll_topo_report_parameter(const char* name);
/* `needs_it` is a parameter that is set. */
void coll_topo_report_no_file(const char* needs_it);

/* Another rank of the communicator has reported what this rank knows too: no further report is needed from it. */
void coll_topo_report_is_elsewhere(void);

/* What prevents a communicator from being served. `differences` holds lines, each indented and ended by a newline.
 * With coll_topo_require, of differences on any rank, these end the job and do not return. */
void coll_topo_report_differences(struct ompi_communicator_t* communicator, int compared_to, const char* differences,
                                  bool required);
void coll_topo_report_cannot_plan(struct ompi_communicator_t* communicator, const char* reason);
/* A reduction that should not depend on the order of operands, and will. */
void coll_topo_report_not_reproducible(struct ompi_communicator_t* communicator);
/* The value of the info key coll_topo_reproducible is none of those that there are. */
void coll_topo_report_unknown_mode(struct ompi_communicator_t* communicator, const char* value);

/* Ends the job if the component is required; the reason has been reported. */
void coll_topo_abort_if_required(struct ompi_communicator_t* communicator);

/* With coll_topo_verbose: that the ranks of this host send messages though they should not have to. */
void coll_topo_report_no_host_memory(struct ompi_communicator_t* communicator);

/* With coll_topo_verbose: what is known when plans can be made for a communicator; the plans will say the rest. */
void coll_topo_report_plans(struct ompi_communicator_t* communicator, const coll_topo_topology* topology,
                            coll_topo_communicator* plans, int reproducible);
/* The same of its nonblocking calls, by rank 0; and text that is to be shown of them. */
void coll_topo_report_nonblocking_plans(struct ompi_communicator_t* communicator, coll_topo_communicator* plans);
void coll_topo_report_nonblocking_text(struct ompi_communicator_t* communicator, const char* text);
/* coll_topo_progress_thread is set, and there can be none. */
void coll_topo_report_no_progress_thread(void);
/* What the plans say of their choices. */
void coll_topo_report_text(struct ompi_communicator_t* communicator, const char* text);

/* The table of coll_topo_profile, why the file could not be written, or why there is none. */
void coll_topo_report_profile(const char* text);
void coll_topo_report_profile_of_some(void);
void coll_topo_report_profile_not_written(const char* path, const char* message);

void coll_topo_report_open(void);
void coll_topo_report_close(void);

#endif
