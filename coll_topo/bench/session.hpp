// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/bench/measure.hpp"
#include "coll_topo/bench/options.hpp"

#include <string>
#include <vector>

namespace coll_topo::bench {

/// A collective and the components that it is measured with.
struct Contest {
    const Operation* operation;
    std::vector<ComponentName> components;
};

/// The name of each rank's host; known to rank 0 only.
std::vector<std::string> host_names(const Bench& bench);

/// What is to be measured; fails alike on all ranks where the options do not fit the run.
Expected<std::vector<Contest>> contests_for(const Options& options, const Bench& bench);

/// Makes room for the largest case. Collective; fails alike on all ranks if a machine has too little memory for it.
Expected<void> make_buffers(const Options& options, Bench& bench);

/// The sizes in whole elements of every rank, each once, for the collective.
std::vector<std::size_t> element_counts(const Options& options, const Operation& operation, int ranks);

/// What rank 0 passes, on all ranks.
bool agreed(bool well, const Bench& bench);

}  // namespace coll_topo::bench
