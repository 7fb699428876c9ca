/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parameters are made from: a row each. */
#ifndef COLL_TOPO_MCA_PARAMETER_ROWS_H
#define COLL_TOPO_MCA_PARAMETER_ROWS_H

#include "coll_topo/mca/compatibility.h"

#include "opal/mca/base/mca_base_var.h"
#include "opal/mca/base/mca_base_var_enum.h"

#include <stdbool.h>
#include <stddef.h>

#define COLL_TOPO_FOR_EACH_CALL "%s" /* stands for the name of the call */

/* What ranks must have in common, else none of them uses the component. */
enum coll_topo_agreement {
    COLL_TOPO_SAME_VALUE,   /* which is in the digest */
    COLL_TOPO_SAME_MEANING, /* which is in the digest by other means */
    COLL_TOPO_ANY_VALUE
};

/* All there is to know about a parameter. */
struct coll_topo_parameter {
    const char* name; /* with COLL_TOPO_FOR_EACH_CALL: a parameter for each */
    const char* help; /* may have it too */
    mca_base_var_type_t type;
    void* storage; /* of parameters for each call, an array */
    union {
        int integer;
        bool truth;
        size_t size;
        char* text; /* the variable system makes copies of it */
    } initial;
    int minimum; /* of an int */
    mca_base_var_info_lvl_t level;
    mca_base_var_flag_t flags;
    enum coll_topo_agreement agreement;
    /* NULL, or for an int whose values have names: lists them, ended by a NULL name, and adds to the help. There is
     * memory for the rows of the catalogue, one more and the end. */
    void (*list_values)(int call, mca_base_var_enum_value_t* values, char* help, size_t size);
};

extern const struct coll_topo_parameter coll_topo_parameter_rows[];
extern const int coll_topo_parameter_row_count;

#endif
