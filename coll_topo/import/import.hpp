// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/import/host_naming.hpp"
#include "coll_topo/import/recognition.hpp"
#include "coll_topo/import/slurm_topology.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace coll_topo::importing {

/// What a source needs beside itself.
struct ImportSettings {
    HostNaming naming = {};
    std::optional<GivenTorus> torus = {};
    SlurmNodes slurm_nodes = {};
    std::string topology = {};  ///< of several in topology.yaml; empty: the default one
};

/// A kind of source.
struct SourceKind {
    std::string_view name;     ///< as --from has it
    std::string_view meaning;  ///< for messages and help
    bool (*recognise)(std::string_view text);
    Expected<RecognisedNetwork> (*read)(std::string_view text, const std::string& file, const ImportSettings& settings);
};
std::span<const SourceKind> source_kinds();

/// The kind of a text by its content; null if it is none of them.
const SourceKind* kind_of_source(std::string_view text);

}  // namespace coll_topo::importing
