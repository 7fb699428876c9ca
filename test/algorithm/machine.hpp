// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace coll_topo::test {

/// How ranks are numbered: host after host, one on each host in turn, or in no order at all.
enum class RankOrder { by_host, in_turn, shuffled };

/// Random numbers that are the same with every standard library.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}

    /// lowest .. highest
    int roll(int lowest, int highest) {
        return lowest + static_cast<int>(engine_() % static_cast<std::uint32_t>(highest - lowest + 1));
    }

private:
    std::mt19937 engine_;
};

/// A torus and the ranks on it, made up for a test.
struct Machine {
    std::string description;
    Fabric fabric;
    Placement placement;

    int ranks() const { return static_cast<int>(placement.size()); }
};

/// Sizes of the dimensions of a torus, and which of them are wrapped: bit d for dimension d.
struct Shape {
    std::vector<int> sizes;
    unsigned wrapped = ~0u;

    int volume() const;
};

/// Every host of the shape with the same number of ranks.
std::vector<int> equal_ranks_per_host(const Shape& shape, int ranks_per_host);

/// rank_counts[h] ranks on host h, none for a hole. Bandwidths differ by dimension, and ranks of a host are spread
/// over two NUMA domains. `seed` matters to RankOrder::shuffled.
Machine make_machine(const Shape& shape, const std::vector<int>& rank_counts, RankOrder order, std::uint32_t seed = 1);

}  // namespace coll_topo::test
