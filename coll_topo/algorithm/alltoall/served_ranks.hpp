// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/halving/layout.hpp"
#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// Which ranks each aggregator serves: those of its host, and of the extra host it is the proxy of, that server_of()
/// gives it. A rank that is an aggregator in the box serves itself.
class ServedRanks {
public:
    ServedRanks(const Grid& grid, int aggregators);

    Server server(int rank) const { return server_[rank]; }

    /// All ranks of a place, those of its extra host last, and the number of a rank among them.
    std::span<const std::int32_t> at(int place) const { return at_.group(place); }
    int index_at(int rank) const { return at_.index[rank]; }

    /// Those among them that aggregator `part` serves.
    std::span<const std::int32_t> by(int place, int part) const { return by_.group(place * aggregators_ + part); }
    int index_by(int rank) const { return by_.index[rank]; }

    /// How many ranks aggregators of a number serve in all places together, and the number of a rank among them.
    int of_part(int part) const { return of_part_[part]; }
    int index_of_part(int rank) const { return index_of_part_[rank]; }

private:
    /// Ranks in groups one after the other.
    struct Groups {
        std::vector<std::int32_t> begin;  // by group, and the end
        std::vector<std::int32_t> ranks;
        std::vector<std::int32_t> index;  // by rank: its number in its group

        std::span<const std::int32_t> group(int number) const {
            return {ranks.data() + begin[number], ranks.data() + begin[number + 1]};
        }
    };
    static Groups grouped(int groups, const std::vector<std::int32_t>& order, const std::vector<std::int32_t>& group);

    int aggregators_;
    std::vector<Server> server_;
    Groups at_;
    Groups by_;
    std::vector<std::int32_t> of_part_;
    std::vector<std::int32_t> index_of_part_;
};

}  // namespace coll_topo
