/* SPDX-License-Identifier: BSD-3-Clause */
/* What a reduction combines, in the words of the core. */
#ifndef COLL_TOPO_MCA_OPERANDS_H
#define COLL_TOPO_MCA_OPERANDS_H

#include "coll_topo/mca/compatibility.h"

struct ompi_datatype_t;
struct ompi_op_t;

/* COLL_TOPO_USER_OPERATION ... */
int coll_topo_operation(struct ompi_op_t* operation);
/* COLL_TOPO_OTHER_OPERAND ... */
int coll_topo_operand(struct ompi_datatype_t* datatype);

#endif
