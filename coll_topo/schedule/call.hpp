// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/call_list.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace coll_topo {

#define COLL_TOPO_ENUMERATOR(name, ...) name,
#define COLL_TOPO_COUNT(...) +1

/// What a schedule does.
enum class Collective : std::uint8_t { COLL_TOPO_PLANNED_CALLS(COLL_TOPO_ENUMERATOR) };
inline constexpr int collective_count = COLL_TOPO_PLANNED_CALLS(COLL_TOPO_COUNT);

/// What a program calls, served by a schedule of a collective; the first are the collectives themselves.
enum class Call : std::uint8_t { COLL_TOPO_CALLS(COLL_TOPO_ENUMERATOR) };
inline constexpr int call_count = COLL_TOPO_CALLS(COLL_TOPO_COUNT);

#undef COLL_TOPO_COUNT
#undef COLL_TOPO_ENUMERATOR

/// What the bytes of a call are counted of.
enum class CallData : std::uint8_t {
    vector,          ///< that every rank has or gets
    pieces,          ///< of all ranks, or neighbours, together, equal or of sizes that all ranks know
    unequal_pieces,  ///< no rank knows them all, or only the root
    none
};

/// All there is to know about a call.
struct CallRow {
    std::string_view name;  ///< ends with a zero
    Collective schedule;    ///< what it runs
    bool rooted;            ///< one rank, the root, has or gets what the others do not
    bool combines;          ///< values are combined; other calls only move them
    CallData data;
};

#define COLL_TOPO_ROW(name, number, schedule, rooted, combines, data) \
    CallRow{#name, Collective::schedule, rooted, combines, CallData::data},
inline constexpr std::array<CallRow, call_count> calls = {COLL_TOPO_CALLS(COLL_TOPO_ROW)};
#undef COLL_TOPO_ROW

/// The call that is the collective itself.
constexpr Call call_of(Collective collective) {
    return static_cast<Call>(collective);
}

constexpr std::size_t index_of(Call call) {
    return static_cast<std::size_t>(call);
}
constexpr const CallRow& row_of(Call call) {
    return calls[index_of(call)];
}
constexpr const CallRow& row_of(Collective collective) {
    return row_of(call_of(collective));
}

constexpr std::string_view call_name(Call call) {
    return row_of(call).name;
}
constexpr Collective schedule_of(Call call) {
    return row_of(call).schedule;
}
/// No rank, or the root alone, knows the sizes of all pieces: only a direct schedule will do, or of those with a root
/// one that brings ranks the sizes first.
constexpr bool has_unequal_pieces(Call call) {
    return row_of(call).data == CallData::unequal_pieces;
}
/// All ranks know its number of bytes.
constexpr bool has_size(Call call) {
    return row_of(call).data == CallData::vector || row_of(call).data == CallData::pieces;
}

/// The call with this name; nothing if there is none.
constexpr std::optional<Call> find_call(std::string_view name) {
    for (int index = 0; index < call_count; ++index) {
        if (calls[index].name == name) return static_cast<Call>(index);
    }
    return {};
}

constexpr std::string_view collective_name(Collective collective) {
    return row_of(collective).name;
}
constexpr bool is_rooted(Collective collective) {
    return row_of(collective).rooted;
}
/// The root has a piece of each rank, or for each.
constexpr bool moves_pieces(Collective collective) {
    return collective == Collective::gather || collective == Collective::scatter;
}
constexpr bool combines(Collective collective) {
    return row_of(collective).combines;
}
/// Each rank gets the operands of the ranks before it combined, and in a scan its own with them.
constexpr bool is_prefix(Collective collective) {
    return collective == Collective::scan || collective == Collective::exscan;
}
/// Each rank exchanges pieces with its neighbours in the Cartesian topology of the communicator.
constexpr bool is_neighborhood(Collective collective) {
    return collective == Collective::neighbor_allgather || collective == Collective::neighbor_alltoall;
}
constexpr bool is_neighborhood(Call call) {
    return is_neighborhood(schedule_of(call));
}

}  // namespace coll_topo
