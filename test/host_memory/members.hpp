// SPDX-License-Identifier: BSD-3-Clause
// Members of a host's memory that are all in this process.
#pragma once

#include "coll_topo/host_memory/host_memory.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace coll_topo {

inline constexpr int lanes = 2;

struct Free {
    void operator()(coll_topo_host_memory* memory) const { coll_topo_host_memory_free(memory); }
};
using Memory = std::unique_ptr<coll_topo_host_memory, Free>;

inline Memory create(int members, coll_topo_memory_offer& offer) {
    return Memory(coll_topo_host_memory_create(members, lanes, &offer));
}

inline Memory join(const coll_topo_memory_offer& offer, int members, int member) {
    return Memory(coll_topo_host_memory_join(&offer, members, lanes, member));
}

/// Members are the odd ranks of 2 · members, or with `apart` 1 all ranks, in this process.
inline std::vector<Memory> connected(int members, int apart = 2) {
    coll_topo_memory_offer offer{};
    std::vector<Memory> all;
    all.push_back(create(members, offer));
    for (int member = 1; member < members; ++member) all.push_back(join(offer, members, member));
    std::vector<int> ranks;
    for (int member = 0; member < members; ++member) ranks.push_back(apart * member + apart - 1);
    for (const Memory& memory : all) {
        if (memory == nullptr || !coll_topo_host_memory_can_access(memory.get()) ||
            !coll_topo_host_memory_begin(memory.get(), ranks.data(), apart * members, true)) {
            return {};
        }
    }
    return all;
}

inline std::vector<std::byte> data(std::size_t bytes, int seed) {
    std::vector<std::byte> values(bytes);
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::byte>(i * 7 + i / 251 + seed);
    return values;
}

}  // namespace coll_topo
