// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/partition.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace coll_topo {

Partition::Partition(std::vector<std::int32_t> part_of, int parts)
    : part_of_(std::move(part_of)), index_(part_of_.size()), begin_(parts + 1, 0), members_(part_of_.size()) {
    std::vector<std::int32_t> sizes(parts, 0);
    for (std::size_t number = 0; number < part_of_.size(); ++number) index_[number] = sizes[part_of_[number]]++;
    std::partial_sum(sizes.begin(), sizes.end(), begin_.begin() + 1);
    for (std::size_t number = 0; number < part_of_.size(); ++number) {
        members_[begin_[part_of_[number]] + index_[number]] = static_cast<std::int32_t>(number);
    }
    if (parts == 0) return;
    const auto [smallest, largest] = std::minmax_element(sizes.begin(), sizes.end());
    smallest_ = *smallest;
    largest_ = *largest;
}

}  // namespace coll_topo
