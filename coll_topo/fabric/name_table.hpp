// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo {

/// Names numbered from 0 in order of addition, found by hash. Holds 100 000 host names in about two megabytes.
class NameTable {
public:
    static constexpr int missing = -1;

    /// Adds a name and gives its new index, or `missing` if the name is already there.
    int add(std::string_view name);

    /// The index of a name, or `missing`.
    int find(std::string_view name) const;

    std::string_view name(int index) const;
    int size() const { return static_cast<int>(begin_.size()) - 1; }

private:
    std::size_t slot(std::string_view name) const;  // where a name stands, or the empty slot where it would
    void grow();

    std::string characters_;                  // all names, one after the other
    std::vector<std::uint32_t> begin_ = {0};  // name i is characters_[begin_[i], begin_[i+1])
    std::vector<std::int32_t> slots_;         // open addressing, -1 empty, size a power of two
};

}  // namespace coll_topo
