// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdlib>
#include <utility>

namespace coll_topo {

/// Memory that a communicator's collectives reuse; grows when one needs more.
class Workspace {
public:
    static constexpr std::size_t alignment = 64;

    Workspace() = default;
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;
    ~Workspace() { std::free(memory_); }

    static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

    /// At least `bytes`, contents undefined after growth; null if there is no memory.
    std::byte* reserve(std::size_t bytes) {
        if (memory_ != nullptr && bytes <= size_) return memory_;
        std::free(std::exchange(memory_, nullptr));
        size_ = 0;
        if (bytes > ~std::size_t{0} - alignment) return nullptr;
        bytes = aligned(bytes > 0 ? bytes : 1);
        memory_ = static_cast<std::byte*>(std::aligned_alloc(alignment, bytes));
        if (memory_ != nullptr) size_ = bytes;
        return memory_;
    }

    /// Frees it if it is longer than so many bytes; true if it was.
    bool trim(std::size_t bytes) {
        if (size_ <= bytes) return false;
        std::free(std::exchange(memory_, nullptr));
        size_ = 0;
        return true;
    }

private:
    std::byte* memory_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace coll_topo
