// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/replay/sized_program.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace coll_topo {

/// Steps of a lane, ascending.
using Exchanges = std::vector<std::size_t>;

/// For each lane the steps that send messages and receive as many, if nearly all of a lane send as many, of about as
/// many bytes, and all lanes have as many; none if not, or if several steps of a lane are in flight at once.
std::vector<Exchanges> alike_exchanges(const SizedProgram& sized);

/// Only those exchanges of each lane that have these numbers, and as much less to copy.
SizedProgram sample_of(const SizedProgram& whole, std::span<const Exchanges> exchanges,
                       std::span<const std::size_t> numbers);

}  // namespace coll_topo
