// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// The numbers 0 .. n-1 divided among parts; each part lists its numbers in ascending order.
class Partition {
public:
    Partition() = default;

    /// `part_of` gives the part, 0 .. parts-1, of every number.
    Partition(std::vector<std::int32_t> part_of, int parts);

    int parts() const { return static_cast<int>(begin_.size()) - 1; }
    int part_of(int number) const { return part_of_[number]; }
    std::span<const std::int32_t> operator[](int part) const {
        return {members_.data() + begin_[part], members_.data() + begin_[part + 1]};
    }
    /// The index of a number within its part.
    int index(int number) const { return index_[number]; }

    int smallest() const { return smallest_; }
    int largest() const { return largest_; }

private:
    std::vector<std::int32_t> part_of_;
    std::vector<std::int32_t> index_;
    std::vector<std::int32_t> begin_ = {0};
    std::vector<std::int32_t> members_;
    int smallest_ = 0;
    int largest_ = 0;
};

}  // namespace coll_topo
