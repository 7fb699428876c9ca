/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for a header that some packages of Open MPI forget to install although <ompi/op/op.h> includes it. */
#ifndef OMPI_FORTRAN_BASE_FINT_2_INT_H
#define OMPI_FORTRAN_BASE_FINT_2_INT_H

#define OMPI_INT_2_FINT(value) ((MPI_Fint)(value))
#define OMPI_FINT_2_INT(value) ((int)(value))

#endif
