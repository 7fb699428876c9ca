// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/import.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/import/ibnetdiscover.hpp"

namespace coll_topo::importing {

namespace {

using CableReader = Expected<CableList> (*)(std::string_view, const std::string&);

template <CableReader read>
Expected<RecognisedNetwork> from_cables(std::string_view text, const std::string& file,
                                        const ImportSettings& settings) {
    ASSIGN_OR_RETURN(const auto cables, read(text, file));
    ASSIGN_OR_RETURN(auto wiring, join_hosts(cables, file, settings.naming));
    return recognise(std::move(wiring), settings.torus);
}

constexpr SourceKind kinds[] = {
    {"ibnetdiscover", "what ibnetdiscover prints", is_ibnetdiscover, from_cables<read_ibnetdiscover>},
    {"ibnetdiscover-ports", "what ibnetdiscover --ports prints", is_ibnetdiscover_ports,
     from_cables<read_ibnetdiscover_ports>},
};

}  // namespace

std::span<const SourceKind> source_kinds() {
    return kinds;
}

const SourceKind* kind_of_source(std::string_view text) {
    for (const SourceKind& kind : kinds) {
        if (kind.recognise(text)) return &kind;
    }
    return nullptr;
}

}  // namespace coll_topo::importing
