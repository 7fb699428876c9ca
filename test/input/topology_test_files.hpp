// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <string>

namespace coll_topo {

/// The path of a file of the source tree; `make check` gives the top of it in the environment.
inline std::string source_path(const std::string& name) {
    const char* const top = std::getenv("srcdir");
    return (top ? std::string(top) : std::string(".")) + "/" + name;
}

}  // namespace coll_topo
