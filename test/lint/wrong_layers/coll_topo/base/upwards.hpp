// SPDX-License-Identifier: BSD-3-Clause
// Wrong on purpose: test/lint/layers must find both lines.
#include <mpi.h>

#include "coll_topo/fabric/torus.hpp"
