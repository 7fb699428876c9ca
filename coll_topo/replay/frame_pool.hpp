// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace coll_topo::replay {

/// Memory for the frames of coroutines, which begin and end by the thousand: what one leaves the next one gets. It must
/// outlive them.
class FramePool {
public:
    FramePool() = default;
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;

    void* allocate(std::size_t bytes) {
        const std::size_t units = (bytes + sizeof(Owner) + sizeof(Unit) - 1) / sizeof(Unit);
        if (units >= free_.size()) throw std::bad_alloc();
        Free* const freed = free_[units];
        void* const memory = freed != nullptr ? freed : cut(units);
        if (freed != nullptr) free_[units] = freed->next;
        return new (memory) Owner{this, units} + 1;
    }

    static void release(void* frame) {
        Owner* const owner = static_cast<Owner*>(frame) - 1;
        const Owner was = *owner;
        was.pool->free_[was.units] = new (owner) Free{was.pool->free_[was.units]};
    }

private:
    static constexpr std::size_t most_units = 32, units_of_slab = 1024;

    struct alignas(64) Unit {
        std::byte bytes[64];
    };
    struct alignas(std::max_align_t) Owner {
        FramePool* pool;
        std::size_t units;
    };
    struct Free {
        Free* next;
    };

    void* cut(std::size_t units) {
        if (slabs_.empty() || used_ + units > units_of_slab) {
            slabs_.push_back(std::make_unique<Unit[]>(units_of_slab));
            used_ = 0;
        }
        used_ += units;
        return &slabs_.back()[used_ - units];
    }

    std::vector<std::unique_ptr<Unit[]>> slabs_;
    std::size_t used_ = units_of_slab;         // of the last one
    std::array<Free*, most_units> free_ = {};  // by units
};

}  // namespace coll_topo::replay
