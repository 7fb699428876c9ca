// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/import/given_torus.hpp"
#include "coll_topo/import/torus_search.hpp"
#include "coll_topo/import/wiring.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coll_topo::importing {

/// What InfiniBand typically takes, as no source tells latencies: seconds for each switch, and between a host and its
/// switch.
inline constexpr double assumed_hop_latency = 0.2e-6;
inline constexpr double assumed_host_latency = 0.5e-6;

/// A network in the form that planning has it, and what was lost or assumed on the way.
struct RecognisedNetwork {
    Fabric fabric;
    std::vector<Error> notes;
    AddressesOfHosts addresses = {};
};

/// Finds the family of a network: a torus or mesh of switches, or switches with levels. Hosts of a torus share the
/// cables of their switch: the first dimension has the hosts of a switch, and cables of the others carry a part each.
/// Fails if it is not the torus that is given.
Expected<RecognisedNetwork> recognise(Wiring wiring, const std::optional<GivenTorus>& given = std::nullopt);

/// The parts of it: of a network of levels, and of a torus.
Fabric fabric_of_switches(const Wiring& wiring, std::vector<Error>& notes);
Fabric fabric_of_torus(const Wiring& wiring, const SwitchTorus& torus, std::vector<Error>& notes);

/// How much the numbers and speeds of cables differ within dimensions; 0 if all of a dimension are equal.
int cable_differences(const Wiring& wiring, const SwitchTorus& torus);

/// What is between every host and its switch, bytes/s: the slowest, with a note if they differ; 0: not known.
double host_bandwidth(const Wiring& wiring, std::vector<Error>& notes);

}  // namespace coll_topo::importing
