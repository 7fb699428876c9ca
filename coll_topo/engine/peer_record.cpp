// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/peer_record.h"

#include <cstring>

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

}  // namespace

size_t coll_topo_record_size(const coll_topo_record* record) {
    return offsetof(coll_topo_record, host_name) + std::strlen(record->host_name) + 1;
}

void coll_topo_record_read(coll_topo_record* record, const void* bytes, size_t size) {
    std::memset(record, 0, sizeof *record);
    if (size >= sizeof record->layout) {
        std::memcpy(record, bytes, size < sizeof *record ? size : sizeof *record - 1);
    }
}

coll_topo_peer coll_topo_peer_of(const coll_topo_record* record, const coll_topo_record* own) {
    return {kind_of(*record, *own), record->required != 0, record->location};
}
