// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/import/torus_search.hpp"
#include "coll_topo/import/wiring.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::importing {

/// A cable of which an administrator says in which direction it leads: "xp_link 0x2000 0x2001".
struct TorusSeed {
    std::string from = {}, to = {};  ///< GUIDs of switches
    std::size_t dimension = 0;       ///< of GivenTorus
    bool is_positive = true;
    SourceLocation where = {};
};

/// The torus that an administrator says the network is.
struct GivenTorus {
    std::vector<int> sizes = {};  ///< of dimensions with at least two switches, x first
    std::vector<bool> wrapped = {};
    std::vector<TorusSeed> seeds = {};
    SourceLocation where = {};
};

/// Reads torus-2QoS.conf(5) of OpenSM: the line that begins with `torus` or `mesh`, and seeds. Other lines are of
/// routing.
Expected<GivenTorus> read_torus_conf(std::string_view text, const std::string& file);

/// A seed by the numbers of its switches.
struct SeedCable {
    int from = 0, to = 0;
    std::size_t dimension = 0;
    bool is_positive = true;
};

/// The seeds of a network; those with switches that are not there are left out, with a note.
std::vector<SeedCable> seed_cables(Wiring& wiring, const GivenTorus& given);

/// The torus with its dimensions in the order of the one that is given. Seeds lead in their directions, from
/// coordinates 0 where it is wrapped. Nothing if it is another torus.
std::optional<SwitchTorus> as_given(const SwitchTorus& torus, const GivenTorus& given,
                                    std::span<const SeedCable> seeds);

/// The torus with its largest dimension first.
SwitchTorus largest_first(const SwitchTorus& torus);

/// "4x4x2, wrapped yyn".
std::string shape_text(const std::vector<int>& sizes, const std::vector<bool>& wrapped);

}  // namespace coll_topo::importing
