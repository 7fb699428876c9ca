// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/peer_record.h"

#include <cstddef>
#include <cstring>
#include <string_view>

namespace {

coll_topo_peer_kind kind_of(const coll_topo_record& record, const coll_topo_record& own) {
    if (record.layout != COLL_TOPO_RECORD_LAYOUT) return COLL_TOPO_PEER_OTHER_VERSION;
    switch (record.readiness) {
        case COLL_TOPO_NO_FILE:
            return COLL_TOPO_PEER_NO_FILE;
        case COLL_TOPO_NOT_LISTED:
            return COLL_TOPO_PEER_NOT_LISTED;
        case COLL_TOPO_SWITCHED_OFF:
            return COLL_TOPO_PEER_SWITCHED_OFF;
        case COLL_TOPO_READY:
            if (record.build != own.build) return COLL_TOPO_PEER_OTHER_BUILD;
            return record.digest == own.digest ? COLL_TOPO_PEER_EQUAL : COLL_TOPO_PEER_DIFFERENT;
        default:
            return COLL_TOPO_PEER_UNUSABLE;
    }
}

constexpr std::size_t name_begin = offsetof(coll_topo_record, host_name);

/// Whether `size` bytes of it are a record. A part of one would pass for another, on host 0.
bool is_whole(const coll_topo_record& record, std::size_t size) {
    const std::size_t end = std::string_view(record.host_name, sizeof record.host_name).find('\0');
    return record.layout == COLL_TOPO_RECORD_LAYOUT && record.readiness <= COLL_TOPO_READY &&
           end != std::string_view::npos && size == name_begin + end + 1;
}

/// For messages on a terminal.
void hide_control_characters(char* text) {
    for (; *text != '\0'; ++text) {
        if ((*text > '\0' && *text < ' ') || *text == '\x7f') *text = '?';
    }
}

}  // namespace

size_t coll_topo_record_size(const coll_topo_record* record) {
    return name_begin + std::strlen(record->host_name) + 1;
}

void coll_topo_record_read(coll_topo_record* record, const void* bytes, size_t size) {
    std::memset(record, 0, sizeof *record);
    if (size <= name_begin || size > name_begin + sizeof record->host_name) return;
    std::memcpy(record, bytes, size);
    if (is_whole(*record, size))
        hide_control_characters(record->host_name);
    else
        std::memset(record, 0, sizeof *record);
}

coll_topo_peer coll_topo_peer_of(const coll_topo_record* record, const coll_topo_record* own) {
    const coll_topo_peer_kind kind = kind_of(*record, *own);
    const bool same_build = kind == COLL_TOPO_PEER_EQUAL || kind == COLL_TOPO_PEER_DIFFERENT;
    return {kind, record->required != 0, same_build && record->profiled != 0, record->location};
}
