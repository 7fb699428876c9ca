// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/result_output.hpp"

#include <fstream>
#include <iostream>

namespace coll_topo::bench {

std::optional<Error> write_results(const std::string& json, const std::string& path) {
    if (path.empty()) {
        std::cout << json << std::flush;
        if (std::cout) return std::nullopt;
        return Error{"cannot write to standard output"};
    }
    std::ofstream file(path);
    file << json;
    file.close();
    if (file) return std::nullopt;
    return Error{"cannot write the file", {path}};
}

}  // namespace coll_topo::bench
