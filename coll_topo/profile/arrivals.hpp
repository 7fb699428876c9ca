// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace coll_topo {

/// A call that all ranks of a communicator have looked at: the same one has the same name on all of them.
struct CallName {
    std::uint64_t communicator = 0;
    std::uint32_t kind = 0;    ///< collective and size class
    std::uint32_t number = 0;  ///< of those of this kind that were looked at

    auto operator<=>(const CallName&) const = default;
};

/// When ranks entered and left calls; nanoseconds on a clock that they share.
struct Arrivals {
    /// More are not kept, so that memory stays bounded.
    static constexpr std::size_t most_calls = 1 << 15;

    struct Call {
        int ranks = 0;             ///< that were added
        std::int64_t awaited = 0;  ///< when the last one that others wait for entered
        std::int64_t entered = 0;  ///< when the last one of all entered
        std::int64_t left = 0;     ///< when the last one left
    };
    std::map<CallName, Call> calls;

    void add(const CallName& name, const Call& call);
    void add(const Arrivals& other);
};

std::string pack(const Arrivals& arrivals);
/// Nothing if the bytes are not what pack() makes.
std::optional<Arrivals> unpack_arrivals(std::string_view bytes);

}  // namespace coll_topo
