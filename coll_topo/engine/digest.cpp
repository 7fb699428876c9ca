// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/digest.hpp"

#include "coll_topo/engine/engine.h"

using namespace coll_topo;

uint64_t coll_topo_digest_number(uint64_t digest, uint64_t number) {
    Digest continued(digest);
    continued.add(number);
    return continued.value();
}

uint64_t coll_topo_digest_text(uint64_t digest, const char* text) {
    Digest continued(digest);
    continued.add(std::string_view(text != nullptr ? text : ""));
    return continued.value();
}
