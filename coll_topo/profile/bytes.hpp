// SPDX-License-Identifier: BSD-3-Clause
// Numbers and text as bytes, for ranks of the same build.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace coll_topo {

class ByteWriter {
public:
    template <typename Value>
    requires std::is_trivially_copyable_v<Value>
    void put(const Value& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void put_text(std::string_view text) {
        put(static_cast<std::uint32_t>(text.size()));
        bytes_.append(text);
    }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

/// Reads what ByteWriter wrote; of bytes that end too early, and for what cannot be, zeros and nothing.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

    template <typename Value>
    requires std::is_trivially_copyable_v<Value> Value get() {
        Value value = {};
        const std::string_view taken = take(sizeof value);
        if (!taken.empty()) std::memcpy(&value, taken.data(), sizeof value);
        return value;
    }
    /// A whole number in least .. most.
    int get_number(int least, int most) {
        const int number = get<int>();
        if (number >= least && number <= most) return number;
        complete_ = false;
        return 0;
    }
    double get_finite() {
        const auto number = get<double>();
        if (std::isfinite(number)) return number;
        complete_ = false;
        return 0;
    }
    std::string get_text() { return std::string(take(get<std::uint32_t>())); }
    /// How many elements of at least so many bytes follow; 0 if they cannot.
    std::uint32_t get_count(std::size_t least_bytes) {
        const auto count = get<std::uint32_t>();
        if (count <= rest_.size() / least_bytes) return count;
        complete_ = false;
        return 0;
    }

    /// All was there and could be, and nothing is left.
    bool complete() const { return complete_ && rest_.empty(); }

private:
    std::string_view take(std::size_t size) {
        if (size > rest_.size()) {
            complete_ = false;
            rest_ = {};
            return {};
        }
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    std::string_view rest_;
    bool complete_ = true;
};

}  // namespace coll_topo
