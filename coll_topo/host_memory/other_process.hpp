// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace coll_topo {

/// Copies memory of another process of the same user; false if it is not there, or the system does not allow it.
bool read_process(pid_t process, std::uint64_t address, void* into, std::size_t bytes);
bool write_process(pid_t process, std::uint64_t address, const void* from, std::size_t bytes);

}  // namespace coll_topo
