/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/operands.h"

#include "coll_topo/engine/engine.h"

#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

int coll_topo_operation(struct ompi_op_t* operation) {
    if (operation == &ompi_mpi_op_sum.op) {
        return COLL_TOPO_SUM;
    }
    if (operation == &ompi_mpi_op_max.op) {
        return COLL_TOPO_MAXIMUM;
    }
    if (operation == &ompi_mpi_op_min.op) {
        return COLL_TOPO_MINIMUM;
    }
    if (operation == &ompi_mpi_op_maxloc.op) {
        return COLL_TOPO_MAXIMUM_LOCATION;
    }
    if (operation == &ompi_mpi_op_minloc.op) {
        return COLL_TOPO_MINIMUM_LOCATION;
    }
    return ompi_op_is_intrinsic(operation) ? COLL_TOPO_PREDEFINED_OPERATION : COLL_TOPO_USER_OPERATION;
}

/* The C type of a floating-point number of so many bytes; Fortran's kinds depend on its compiler. */
static int number_of(size_t bytes) {
    if (bytes == sizeof(float)) {
        return COLL_TOPO_FLOAT;
    }
    return bytes == sizeof(double) ? COLL_TOPO_DOUBLE : COLL_TOPO_OTHER_OPERAND;
}

static int pair_of(size_t bytes) {
    if (bytes == 2 * sizeof(float)) {
        return COLL_TOPO_FLOAT_FLOAT;
    }
    return bytes == 2 * sizeof(double) ? COLL_TOPO_DOUBLE_DOUBLE : COLL_TOPO_OTHER_OPERAND;
}

int coll_topo_operand(struct ompi_datatype_t* datatype) {
    size_t bytes = 0;
    if (!ompi_datatype_is_predefined(datatype)) {
        return COLL_TOPO_OTHER_OPERAND;
    }
    ompi_datatype_type_size(datatype, &bytes);
    switch (ompi_op_ddt_map[datatype->id]) {
        case -1:
            return COLL_TOPO_OTHER_OPERAND;
        case OMPI_OP_BASE_TYPE_FLOAT:
            return COLL_TOPO_FLOAT;
        case OMPI_OP_BASE_TYPE_DOUBLE:
            return COLL_TOPO_DOUBLE;
        case OMPI_OP_BASE_TYPE_LONG_DOUBLE:
            return COLL_TOPO_LONG_DOUBLE;
        case OMPI_OP_BASE_TYPE_REAL:
        case OMPI_OP_BASE_TYPE_REAL4:
        case OMPI_OP_BASE_TYPE_REAL8:
        case OMPI_OP_BASE_TYPE_DOUBLE_PRECISION:
            return number_of(bytes);
        case OMPI_OP_BASE_TYPE_C_FLOAT_COMPLEX:
            return COLL_TOPO_FLOAT_COMPLEX;
        case OMPI_OP_BASE_TYPE_C_DOUBLE_COMPLEX:
            return COLL_TOPO_DOUBLE_COMPLEX;
        case OMPI_OP_BASE_TYPE_C_LONG_DOUBLE_COMPLEX:
            return COLL_TOPO_LONG_DOUBLE_COMPLEX;
        case OMPI_OP_BASE_TYPE_FLOAT_INT:
            return COLL_TOPO_FLOAT_INT;
        case OMPI_OP_BASE_TYPE_DOUBLE_INT:
            return COLL_TOPO_DOUBLE_INT;
        case OMPI_OP_BASE_TYPE_LONG_DOUBLE_INT:
            return COLL_TOPO_LONG_DOUBLE_INT;
        case OMPI_OP_BASE_TYPE_2REAL:
        case OMPI_OP_BASE_TYPE_2DOUBLE_PRECISION:
            return pair_of(bytes);
        case OMPI_OP_BASE_TYPE_REAL2:
        case OMPI_OP_BASE_TYPE_REAL16:
            return COLL_TOPO_OTHER_OPERAND;
        default:
            return COLL_TOPO_INTEGER;
    }
}
