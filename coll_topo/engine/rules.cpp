// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/rules.hpp"

#include "coll_topo/engine/guard.hpp"
#include "coll_topo/select/rules_file.hpp"

using namespace coll_topo;

int coll_topo_rules_load(const char* path, coll_topo_rules** rules, char* message, size_t message_size) {
    *rules = nullptr;
    return guarded_planning(message, message_size, [&] {
        auto read = read_rules_file(path);
        if (!read) {
            write_message(read.error().text(), message, message_size);
            return static_cast<int>(COLL_TOPO_FAILED);
        }
        *rules = new coll_topo_rules{std::move(*read)};
        return static_cast<int>(COLL_TOPO_OK);
    });
}

void coll_topo_rules_free(coll_topo_rules* rules) {
    delete rules;
}

uint64_t coll_topo_rules_digest(const coll_topo_rules* rules) {
    return rules != nullptr ? digest_of(rules->list) : 0;
}
