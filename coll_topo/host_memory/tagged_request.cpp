// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/host_memory/tagged_request.hpp"

namespace coll_topo {

void TaggedRequestList::add(TaggedRequest* request) {
    request->next = nullptr;
    *end_ = request;
    end_ = &request->next;
}

TaggedRequest* TaggedRequestList::unlink(TaggedRequest** place) {
    TaggedRequest* const request = *place;
    *place = request->next;
    if (end_ == &request->next) end_ = place;
    return request;
}

TaggedRequest* TaggedRequestList::take(std::int32_t tag) {
    TaggedRequest** place = &first_;
    while (*place != nullptr && (*place)->tag != tag) place = &(*place)->next;
    return *place != nullptr ? unlink(place) : nullptr;
}

TaggedRequest* TaggedRequestList::find(std::int32_t tag) const {
    TaggedRequest* request = first_;
    while (request != nullptr && request->tag != tag) request = request->next;
    return request;
}

}  // namespace coll_topo
