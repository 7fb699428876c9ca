/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/reproducible.h"

#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/report.h"

#include "ompi/communicator/communicator.h"
#include "opal/util/info_subscriber.h"

#include <stdio.h>
#include <string.h>

#define INFO_KEY "coll_topo_reproducible"
enum { LONGEST_VALUE = 31 };

/* The value of the key, empty if it is not set. */
static void read_info(struct ompi_communicator_t* communicator, char value[LONGEST_VALUE + 1]) {
    value[0] = '\0';
    if (communicator->super.s_info == NULL) {
        return;
    }
#if OMPI_MAJOR_VERSION == 4
    int found = 0;
    opal_info_get(communicator->super.s_info, INFO_KEY, LONGEST_VALUE, value, &found);
    if (!found) {
        value[0] = '\0';
    }
#else
    int found = 0;
    opal_cstring_t* text = NULL;
    opal_info_get(communicator->super.s_info, INFO_KEY, &text, &found);
    if (found) {
        snprintf(value, LONGEST_VALUE + 1, "%s", text->string);
        OBJ_RELEASE(text);
    }
#endif
}

static coll_topo_info_text* keep(opal_infosubscriber_t* communicator, coll_topo_info_text* key,
                                 coll_topo_info_text* value) {
    (void)communicator;
    (void)key;
    return value;
}

void coll_topo_reproducible_listen(struct ompi_communicator_t* communicator) {
    char key[] = INFO_KEY;
    char value[LONGEST_VALUE + 1];
    snprintf(value, sizeof value, "%s", coll_topo_reproducible_names[coll_topo_parameters.settings.reproducible]);
    opal_infosubscribe_subscribe(&communicator->super, key, value, keep);
}

int coll_topo_reproducible_of(struct ompi_communicator_t* communicator) {
    char value[LONGEST_VALUE + 1];
    read_info(communicator, value);
    for (int mode = 0; mode < COLL_TOPO_REPRODUCIBLE_END; ++mode) {
        if (strcmp(value, coll_topo_reproducible_names[mode]) == 0) {
            return mode;
        }
    }
    return value[0] != '\0' ? COLL_TOPO_REPRODUCIBLE_END : coll_topo_parameters.settings.reproducible;
}

void coll_topo_reproducible_unknown(struct ompi_communicator_t* communicator) {
    char value[LONGEST_VALUE + 1];
    read_info(communicator, value);
    coll_topo_report_unknown_mode(communicator, value);
}
