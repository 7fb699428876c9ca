// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace coll_topo {

/// The linker's build id among the ELF notes of a loaded file, which are aligned to `alignment` bytes (4 or 8); empty
/// if there is none.
std::span<const std::byte> find_build_id(std::span<const std::byte> notes, std::size_t alignment);

/// A digest of the loaded file that `address` is part of: of its build id, or where it has none or `by_content` is set,
/// of all that is mapped from it for reading only, code and constants. 0 if no file has that address.
std::uint64_t file_fingerprint(const void* address, bool by_content = false);

}  // namespace coll_topo
