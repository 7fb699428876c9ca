// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/bench/measure.hpp"
#include "coll_topo/bench/network.hpp"
#include "coll_topo/bench/options.hpp"
#include "coll_topo/bench/report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

/// The sizes in whole elements of every rank or neighbour, each once, for the collective.
std::vector<std::size_t> element_counts(const Options& options, const Operation& operation, int pieces);

/// The network of the bounds: that of --topology, else of the file that coll_topo uses, else none. If coll_topo's own
/// file does not fit the run, coll_topo says so itself.
Expected<std::optional<Network>> find_network(const Options& options, const Bench& bench,
                                              const std::vector<std::string>& hosts);

/// All that holds for the run, but what is measured.
RunFacts facts_of(const Options& options, const Bench& bench, const std::vector<Contest>& contests,
                  const std::vector<std::string>& hosts);

/// Collective. Those of a contest that can serve so many ranks, each with its communicator; of the others rank 0 says
/// so.
std::vector<Component> make_components(const Contest& contest, const Bench& bench);

/// Says on standard error where a result was wrong, if one was.
void report_wrong(std::string_view collective, std::int64_t bytes, const std::string& component,
                  const Measurement& seen);

/// What rank 0 passes, on all ranks.
bool agreed(bool well, const Bench& bench);

}  // namespace coll_topo::bench
