// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/peer_record.h"

#include "test/fuzz/readers.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace coll_topo::fuzz {

namespace {

constexpr coll_topo_record own{COLL_TOPO_RECORD_LAYOUT, COLL_TOPO_READY, 0, 0x7465676964, 0x646c697562, {}, 0, "own"};

/// Reads from memory that ends where the bytes do, so that the address sanitizer sees what reads on.
coll_topo_record read(std::string_view bytes) {
    const std::vector<char> memory(bytes.begin(), bytes.end());
    coll_topo_record record;
    std::memset(&record, 0xa5, sizeof record);
    coll_topo_record_read(&record, memory.data(), memory.size());
    return record;
}

bool is_read(const coll_topo_record& record) {
    return record.layout == COLL_TOPO_RECORD_LAYOUT;
}

std::string complaint_about_none(const coll_topo_record& record, const coll_topo_peer& peer) {
    const coll_topo_record none{};
    if (std::memcmp(&record, &none, sizeof none) != 0) return "something is left of what cannot be read";
    return peer.kind == COLL_TOPO_PEER_OTHER_VERSION ? "" : "a kind of what cannot be read";
}

std::string complaint_about_name(std::string_view name) {
    const std::size_t length = name.find('\0');
    if (length == std::string_view::npos) return "a host name without an end";
    const bool shown = std::ranges::none_of(
        name.substr(0, length), [](unsigned char character) { return character < ' ' || character == 0x7f; });
    return shown ? "" : "a host name that upsets a terminal";
}

std::string complaint_about_kind(const coll_topo_record& record, const coll_topo_peer& peer) {
    const bool ready = record.readiness == COLL_TOPO_READY;
    const bool equal = ready && record.build == own.build && record.digest == own.digest;
    if ((peer.kind == COLL_TOPO_PEER_EQUAL) != equal) return "another one is equal, or an equal one is not";
    if (peer.kind == COLL_TOPO_PEER_UNASKED || peer.kind == COLL_TOPO_PEER_ABSENT) return "a record of nobody";
    if (peer.kind == COLL_TOPO_PEER_OTHER_VERSION) return "a record that was read and cannot be";
    if (std::memcmp(&peer.location, &record.location, sizeof peer.location) != 0) return "a peer that is elsewhere";
    return peer.required == (record.required != 0) ? "" : "a requirement of nobody";
}

}  // namespace

/// What a peer publishes about itself.
std::string peer_record_complaint(std::string_view bytes) {
    const coll_topo_record record = read(bytes);
    const coll_topo_peer peer = coll_topo_peer_of(&record, &own);
    if (!is_read(record)) return complaint_about_none(record, peer);
    if (std::string wrong = complaint_about_name({record.host_name, sizeof record.host_name}); !wrong.empty()) {
        return wrong;
    }
    if (coll_topo_record_size(&record) != bytes.size()) return "a record of another size";
    if (std::memcmp(&record, bytes.data(), offsetof(coll_topo_record, host_name)) != 0) return "other facts";
    const std::string longer = std::string(bytes) + '\0';
    if (is_read(read(bytes.substr(0, bytes.size() - 1)))) return "a record without its end";
    if (is_read(read(longer))) return "a record beyond its end";
    return complaint_about_kind(record, peer);
}

}  // namespace coll_topo::fuzz
