// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/import/import.hpp"
#include "coll_topo/import/topology_text.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "test/import/sample_network.hpp"
#include "test/input/topology_test_files.hpp"

#include <gtest/gtest.h>
#include <fstream>
#include <iterator>
#include <string>

namespace coll_topo::importing {

inline std::string sample(const std::string& name) {
    std::ifstream file(source_path("test/data/import/" + name));
    std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_FALSE(text.empty()) << name;
    return text;
}

/// Imports a text, whatever its kind is.
inline Expected<RecognisedNetwork> import_text(const std::string& text, const ImportSettings& settings = {}) {
    const SourceKind* const kind = kind_of_source(text);
    if (!kind) return failure("not recognised");
    return kind->read(text, "source", settings);
}

/// Writes an imported network as a topology file, and reads that.
inline Fabric as_written(const RecognisedNetwork& network) {
    auto file = read_topology_text(topology_text(network.fabric), "written");
    EXPECT_TRUE(file) << (file ? "" : file.error().text()) << "\n" << topology_text(network.fabric);
    if (!file) return Fabric{{}, SwitchGraph{}, {}};
    EXPECT_EQ(named_cables(network.fabric, {}, true), named_cables(file->fabric, {}, true));
    EXPECT_EQ(network.fabric.hosts.name(0), file->fabric.hosts.name(0));
    return std::move(file->fabric);
}

inline std::string notes_of(const RecognisedNetwork& network) {
    std::string text;
    for (const Error& note : network.notes) text += note.text() + "\n";
    return text;
}

/// What is wrong with a text, or what it was imported as.
inline std::string outcome(const std::string& text, const ImportSettings& settings = {}) {
    const auto network = import_text(text, settings);
    return network ? network->fabric.summary() : network.error().text();
}

}  // namespace coll_topo::importing
