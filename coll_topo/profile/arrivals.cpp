// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/profile/arrivals.hpp"

#include "coll_topo/profile/bytes.hpp"

#include <algorithm>

namespace coll_topo {

void Arrivals::add(const CallName& name, const Call& call) {
    const auto found = calls.find(name);
    if (found != calls.end()) {
        found->second.ranks += call.ranks;
        found->second.awaited = std::max(found->second.awaited, call.awaited);
        found->second.entered = std::max(found->second.entered, call.entered);
        found->second.left = std::max(found->second.left, call.left);
    } else if (calls.size() < most_calls) {
        calls.emplace(name, call);
    }
}

void Arrivals::add(const Arrivals& other) {
    for (const auto& [name, call] : other.calls) add(name, call);
}

std::string pack(const Arrivals& arrivals) {
    ByteWriter out;
    out.put(static_cast<std::uint32_t>(arrivals.calls.size()));
    for (const auto& [name, call] : arrivals.calls) {
        out.put(name);
        out.put(call.ranks);
        out.put(call.awaited);
        out.put(call.entered);
        out.put(call.left);
    }
    return out.bytes();
}

std::optional<Arrivals> unpack_arrivals(std::string_view bytes) {
    constexpr std::size_t size = sizeof(CallName) + sizeof(int) + 3 * sizeof(std::int64_t);
    ByteReader in(bytes);
    Arrivals arrivals;
    for (auto left = in.get_count(size); left > 0; --left) {
        const auto name = in.get<CallName>();
        Arrivals::Call call;
        call.ranks = in.get<int>();
        call.awaited = in.get<std::int64_t>();
        call.entered = in.get<std::int64_t>();
        call.left = in.get<std::int64_t>();
        arrivals.add(name, call);
    }
    if (!in.complete()) return std::nullopt;
    return arrivals;
}

}  // namespace coll_topo
