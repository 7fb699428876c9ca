// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/topology.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/engine/guard.hpp"
#include "coll_topo/grid/trial_placement.hpp"
#include "coll_topo/input/host_identity.hpp"
#include "coll_topo/input/topology_file.hpp"

#include <charconv>
#include <optional>

using namespace coll_topo;

namespace {

/// "3,1,0" as coordinates of the torus; nothing if it is not that.
std::optional<std::vector<int>> parse_coordinates(const Torus& torus, std::string_view text) {
    std::vector<int> coordinates;
    for (const std::string_view number : split(text, ',')) {
        int value = -1;
        const char* const end = number.data() + number.size();
        const auto [rest, error] = std::from_chars(number.data(), end, value);
        if (error != std::errc() || rest != end) return {};
        if (coordinates.size() == torus.dimensions().size()) return {};
        if (value < 0 || value >= torus.dimensions()[coordinates.size()].size) return {};
        coordinates.push_back(value);
    }
    if (coordinates.size() != torus.dimensions().size()) return {};
    return coordinates;
}

}  // namespace

int coll_topo_topology_load(const char* path, coll_topo_topology** topology, char* message, size_t message_size) {
    *topology = nullptr;
    return guarded_planning(message, message_size, [&] {
        auto file = read_topology_file(path);
        if (!file) {
            write_message(file.error().text(), message, message_size);
            return static_cast<int>(COLL_TOPO_FAILED);
        }
        std::string summary = file->fabric.summary();
        assume_bandwidth(file->fabric);
        std::vector<std::string> doubts;
        for (int note = 0; note < file->doubts; ++note) doubts.push_back(file->notes[note].text());
        *topology = new coll_topo_topology{std::move(file->fabric), std::move(summary), std::move(doubts),
                                           std::move(file->addresses)};
        return static_cast<int>(COLL_TOPO_OK);
    });
}

void coll_topo_topology_free(coll_topo_topology* topology) {
    delete topology;
}

uint64_t coll_topo_topology_digest(const coll_topo_topology* topology) {
    return topology->fabric.digest();
}

const char* coll_topo_topology_summary(const coll_topo_topology* topology) {
    return topology->summary.c_str();
}

const char* coll_topo_topology_doubt(const coll_topo_topology* topology, int number) {
    return number < static_cast<int>(topology->doubts.size()) ? topology->doubts[number].c_str() : nullptr;
}

int coll_topo_topology_host_at(const coll_topo_topology* topology, const char* coordinates) {
    int found = -1;
    guarded(nullptr, 0, [&] {
        const Fabric& fabric = topology->fabric;
        const auto parsed = fabric.torus() == nullptr ? std::nullopt : parse_coordinates(*fabric.torus(), coordinates);
        for (int host = 0; parsed && host < fabric.hosts.size() && found < 0; ++host) {
            if (fabric.cell(host) == fabric.torus()->cell(*parsed)) found = host;
        }
        return 0;
    });
    return found;
}

int coll_topo_place_rank(const coll_topo_topology* topology, const char* place, int ranks_per_host, int job_ranks,
                         int rank, char* message, size_t message_size) {
    int host = -1;
    guarded(message, message_size, [&] {
        const auto placement = TrialPlacement::make(topology->fabric, place, ranks_per_host, job_ranks);
        if (placement)
            host = placement->host(rank);
        else
            write_message(placement.error().text(), message, message_size);
        return 0;
    });
    return host;
}
