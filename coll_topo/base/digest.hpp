// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace coll_topo {

/// FNV-1a with 64 bits. Every value is fed at a fixed width and every list after its length, so that two different
/// sequences of values never feed the same bytes.
class Digest {
public:
    Digest() = default;
    /// Goes on where another one ended.
    explicit Digest(std::uint64_t value) : value_(value) {}

    template <typename Integer>
    requires std::is_integral_v<Integer>
    void add(Integer value) {
        auto rest = static_cast<std::uint64_t>(value);
        for (int byte = 0; byte < 8; ++byte, rest >>= 8) feed(static_cast<unsigned char>(rest));
    }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(std::string_view text) {
        add(text.size());
        for (const char character : text) feed(static_cast<unsigned char>(character));
    }
    std::uint64_t value() const { return value_; }

private:
    void feed(unsigned char byte) { value_ = (value_ ^ byte) * 1099511628211u; }

    std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace coll_topo
