// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/engine/engine.h"
#include "coll_topo/reduction/floating_environment.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <string>

namespace coll_topo {

inline void write_message(const std::string& text, char* message, std::size_t size) {
    if (message != nullptr && size > 0) std::snprintf(message, size, "%s", text.c_str());
}

/// Runs `body`, which returns a code, and turns any exception into one: none may reach C.
template <typename Body>
int guarded(char* message, std::size_t message_size, Body&& body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        if (message != nullptr && message_size > 0) std::snprintf(message, message_size, "out of memory");
        return COLL_TOPO_OUT_OF_MEMORY;
    } catch (const std::exception& exception) {
        if (message != nullptr && message_size > 0) std::snprintf(message, message_size, "%s", exception.what());
        return COLL_TOPO_FAILED;
    } catch (...) {
        if (message != nullptr && message_size > 0) std::snprintf(message, message_size, "unknown error");
        return COLL_TOPO_FAILED;
    }
}

/// The same for what predicts costs, or reads what they are predicted from: ranks whose programs round otherwise, or
/// flush small numbers to zero, come to the same numbers.
template <typename Body>
int guarded_planning(char* message, std::size_t message_size, Body&& body) noexcept {
    const FloatingEnvironment environment;
    return guarded(message, message_size, body);
}

}  // namespace coll_topo
