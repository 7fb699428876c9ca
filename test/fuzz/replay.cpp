// SPDX-License-Identifier: BSD-3-Clause
// replay READER FILE...: feeds inputs to a reader as it is built for users, without sanitizers, and says what they
// cost.
#include "test/fuzz/readers.hpp"

#include <sys/resource.h>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>

using namespace coll_topo::fuzz;

int main(int count, char** arguments) {
    constexpr double most_seconds = 1;
    constexpr long most_kilobytes = 1L << 20;  // as getrusage counts them
    const Reader* const reader = count < 3 ? nullptr : find_reader(arguments[1]);
    if (reader == nullptr) {
        std::fputs("replay READER FILE...\n", stderr);
        return 2;
    }
    int failed = 0;
    for (int i = 2; i < count; ++i) {
        std::ifstream file(arguments[i], std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const std::clock_t begin = std::clock();
        const std::string wrong = reader->complaint(bytes);
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        std::printf("%s: %.2f s of processor, %ld MiB%s%s\n", arguments[i], seconds, usage.ru_maxrss / 1024,
                    wrong.empty() ? "" : ": ", wrong.c_str());
        if (!wrong.empty() || seconds > most_seconds || usage.ru_maxrss > most_kilobytes) ++failed;
    }
    return failed == 0 ? 0 : 1;
}
