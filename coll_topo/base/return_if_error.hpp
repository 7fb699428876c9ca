// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <utility>

// Two macros, as abseil has them, because only a macro can return from the function that uses it.

/// Returns the error of an Expected, if it holds one, from a function that returns an Expected. Its value is not used:
/// `RETURN_IF_ERROR(write_file(path, text));`
#define RETURN_IF_ERROR(...)                                           \
    do {                                                               \
        if (const auto& outcome_ = (__VA_ARGS__); !outcome_) {         \
            return tl::unexpected<coll_topo::Error>(outcome_.error()); \
        }                                                              \
    } while (false)

/// Gives a variable, declared here or before, the value of an Expected, or returns its error:
/// `ASSIGN_OR_RETURN(auto file, read(path));`
#define ASSIGN_OR_RETURN(declaration, ...) \
    COLL_TOPO_ASSIGN_OR_RETURN(COLL_TOPO_JOIN(expected_, __LINE__), declaration, __VA_ARGS__)

#define COLL_TOPO_ASSIGN_OR_RETURN(expected, declaration, ...)                \
    auto expected = (__VA_ARGS__);                                            \
    if (!expected) return tl::unexpected<coll_topo::Error>(expected.error()); \
    declaration = *std::move(expected)
#define COLL_TOPO_JOIN(a, b) COLL_TOPO_JOIN_EXPANDED(a, b)
#define COLL_TOPO_JOIN_EXPANDED(a, b) a##b
