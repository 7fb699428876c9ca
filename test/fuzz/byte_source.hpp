// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace coll_topo::fuzz {

/// Takes values from bytes; zeros when they are at their end.
class ByteSource {
public:
    explicit ByteSource(std::string_view bytes) : bytes_(bytes) {}

    bool empty() const { return bytes_.empty(); }
    std::string_view rest() const { return bytes_; }

    template <typename Value>
    requires std::is_trivially_copyable_v<Value> Value take() {
        Value value{};
        const std::size_t size = bytes_.size() < sizeof value ? bytes_.size() : sizeof value;
        std::memcpy(&value, bytes_.data(), size);
        bytes_.remove_prefix(size);
        return value;
    }
    /// least .. most, which are at most 255 apart; from one byte.
    int between(int least, int most) { return least + take<unsigned char>() % (most - least + 1); }

private:
    std::string_view bytes_;
};

}  // namespace coll_topo::fuzz
