// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {

/// One algorithm of a collective, and how its results were.
struct ResultCheck {
    std::string collective;
    std::string algorithm;
    int calls = 0;   ///< operations, types and sizes
    int served = 0;  ///< of these, by coll_topo; the others it left to the module before
    int wrong = 0;
    std::string first_wrong;  ///< the call; empty: none
};

/// What coll-topo-measure --results has found.
struct ResultStage {
    bool complete = false;
    std::vector<ResultCheck> checks;
    std::string missing;  ///< why coll_topo served nothing; empty if it did
};

/// Reads it; `name` stands for the text in messages.
Expected<ResultStage> read_results(std::string_view text, const std::string& name);

}  // namespace coll_topo::tool
