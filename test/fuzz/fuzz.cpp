// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer with one of the readers, which COLL_TOPO_FUZZED names.
#include "test/fuzz/readers.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace coll_topo::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Reader* const reader = [] {
        const char* const name = std::getenv("COLL_TOPO_FUZZED");
        return find_reader(name == nullptr ? "" : name);
    }();
    if (reader == nullptr) {
        std::fputs("COLL_TOPO_FUZZED must name a reader\n", stderr);
        std::exit(2);
    }
    const std::string wrong = reader->complaint({reinterpret_cast<const char*>(data), size});
    if (!wrong.empty()) {
        std::fprintf(stderr, "COMPLAINT: %s\n", wrong.c_str());
        std::abort();
    }
    return 0;
}
