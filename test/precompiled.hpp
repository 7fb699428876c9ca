// SPDX-License-Identifier: BSD-3-Clause
// What nearly all unit tests include, compiled once. Each test still includes what it uses: a compiler without
// precompiled headers, and --disable-precompiled-headers, read this as any header.
#include "coll_topo/base/precompiled.hpp"

#include <gtest/gtest.h>
