// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <string>

namespace coll_topo::tool {

/// The whole text of a file.
Expected<std::string> contents_of(const std::string& path);

/// A program of coll_topo: the one beside this one, or else of this name in PATH.
std::string program_beside(const std::string& name);

}  // namespace coll_topo::tool
