// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace coll_topo {

/// Memory without a name that processes of one user on one host share. All of it is zero at first; what is never
/// touched takes no memory.
class Segment {
public:
    using Token = std::array<std::uint64_t, 2>;

    Segment() = default;
    Segment(const Segment&) = delete;
    Segment& operator=(const Segment&) = delete;
    ~Segment();

    /// False where the system does not allow it.
    bool create(std::size_t bytes);
    /// Opens that of another process, by its descriptor there. False if it cannot, or if it is not that with the token.
    bool join(pid_t process, int descriptor, const Token& token, std::size_t bytes);
    /// No other process can join any more.
    void seal();

    int descriptor() const { return descriptor_; }
    const Token& token() const { return *reinterpret_cast<const Token*>(memory_); }
    /// Behind the token: a page.
    std::byte* data() const { return memory_ + lead; }

    static constexpr std::size_t lead = 4096;

private:
    bool map(std::size_t bytes);

    int descriptor_ = -1;
    std::byte* memory_ = nullptr;
    std::size_t mapped_ = 0;
};

}  // namespace coll_topo
