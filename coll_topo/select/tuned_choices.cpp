// SPDX-License-Identifier: BSD-3-Clause
// The thresholds of tuned's fixed decisions for operations that commute, as facts: Open MPI v4.1.4,
// ompi/mca/coll/tuned/coll_tuned_decision_fixed.c. Adjacent sizes that lead to the same row are joined. no_row: none
// does the same, or the prediction would only be a bound, as for an alltoall that posts all messages at once.
#include "coll_topo/select/tuned_choices.hpp"

#include <bit>
#include <limits>
#include <span>

namespace coll_topo {

namespace {

/// What tuned takes for fewer ranks and fewer bytes than this; the first that fits counts.
struct Choice {
    int ranks;
    std::int64_t bytes;
    std::string_view row;
};

/// For numbers of ranks and bytes.
struct Any {
    constexpr operator int() const { return std::numeric_limits<int>::max(); }
    constexpr operator std::int64_t() const { return std::numeric_limits<std::int64_t>::max(); }
};
constexpr Any any;

constexpr std::string_view ring = "ring", doubling = "recursive_doubling_by_rank", rabenseifner = "rabenseifner",
                           binomial = "binomial", chain = "pipelined_chain", linear = "linear", bruck = "bruck",
                           pairwise = "pairwise", halving = "recursive_halving", knomial = "knomial", no_row = "";

// clang-format off
constexpr Choice allreduce_choices[] = {
    {4, 8, ring}, {4, 4096, doubling}, {4, 8192, ring}, {4, 16384, doubling}, {4, 262144, ring},
    {4, any, rabenseifner}, {8, 16, ring}, {8, 8192, doubling}, {8, any, rabenseifner}, {16, 8192, doubling},
    {16, any, rabenseifner}, {32, 64, ring}, {32, 4096, doubling}, {32, any, rabenseifner}, {64, 128, ring},
    {64, any, rabenseifner}, {128, 262144, doubling}, {128, any, rabenseifner}, {256, 131072, no_row},
    {256, 262144, doubling}, {256, any, rabenseifner}, {512, 4096, no_row}, {512, any, rabenseifner},
    {2048, 2048, no_row}, {2048, 16384, doubling}, {2048, any, rabenseifner}, {4096, 2048, no_row},
    {4096, 4096, ring}, {4096, 16384, doubling}, {4096, any, rabenseifner}, {any, 2048, no_row}, {any, 16384, ring},
    {any, 32768, doubling}, {any, any, rabenseifner},
};

constexpr Choice bcast_choices[] = {
    {4, 32, chain}, {4, 256, no_row}, {4, 512, chain}, {4, 1024, knomial}, {4, 32768, linear}, {4, 262144, no_row},
    {4, 524288, linear}, {4, 1048576, binomial}, {4, any, no_row}, {8, 64, no_row}, {8, 128, binomial},
    {8, 2048, no_row}, {8, 8192, binomial}, {8, 1048576, linear}, {8, any, no_row}, {16, 8, knomial},
    {16, 64, no_row}, {16, 4096, knomial}, {16, 16384, no_row}, {16, 32768, binomial}, {16, any, linear},
    {32, 4096, knomial}, {32, 1048576, binomial}, {32, any, no_row}, {64, 2048, binomial}, {128, any, knomial},
    {256, 2, binomial}, {256, 16384, no_row}, {256, 32768, linear}, {256, 65536, no_row}, {256, any, knomial},
    {1024, 16384, knomial}, {1024, 32768, no_row}, {1024, any, knomial}, {2048, 524288, knomial},
    {2048, any, no_row}, {4096, 262144, knomial}, {4096, any, no_row}, {any, 8192, knomial}, {any, 16384, no_row},
    {any, 262144, knomial}, {any, any, no_row},
};

constexpr Choice reduce_choices[] = {
    {4, 16, no_row}, {4, 32, chain}, {4, 262144, linear}, {4, 524288, chain}, {4, 1048576, no_row}, {4, any, chain},
    {8, 65536, no_row}, {8, 262144, binomial}, {8, 524288, linear}, {8, 1048576, binomial}, {8, any, linear},
    {16, 8192, no_row}, {16, any, binomial}, {32, 4096, no_row}, {32, any, binomial}, {256, any, binomial},
    {512, 8192, binomial}, {512, 16384, no_row}, {512, any, binomial}, {2048, any, binomial}, {4096, 512, binomial},
    {4096, 1024, no_row}, {4096, 8192, binomial}, {4096, 16384, no_row}, {4096, any, binomial}, {any, 16, binomial},
    {any, 32, no_row}, {any, 1024, binomial}, {any, 2048, no_row}, {any, 8192, binomial}, {any, 16384, no_row},
    {any, any, binomial},
};

constexpr Choice reduce_scatter_choices[] = {
    {4, 65536, ring}, {4, 131072, no_row}, {4, any, ring}, {8, 8, no_row}, {32, 262144, halving}, {32, any, ring},
    {64, 64, no_row}, {64, 2048, halving}, {64, 524288, no_row}, {64, any, ring}, {128, 256, no_row},
    {128, 512, halving}, {128, 2048, no_row}, {128, 4096, halving}, {128, any, no_row}, {256, 256, no_row},
    {256, 512, halving}, {256, any, no_row}, {512, 256, no_row}, {512, 1024, halving}, {512, any, no_row},
    {1024, 512, no_row}, {1024, 2048, halving}, {1024, 8192, no_row}, {1024, 16384, halving}, {1024, any, no_row},
    {2048, 512, no_row}, {2048, 4096, halving}, {2048, 16384, no_row}, {2048, 32768, halving}, {2048, any, no_row},
    {4096, 512, no_row}, {4096, 4096, halving}, {4096, any, no_row}, {any, 1024, no_row}, {any, 8192, halving},
    {any, any, no_row},
};

constexpr Choice allgather_choices[] = {
    {32, any, doubling}, {64, 1024, doubling}, {64, 65536, no_row}, {64, any, ring}, {128, 512, doubling},
    {128, 65536, no_row}, {128, any, ring}, {256, 512, doubling}, {256, 131072, no_row}, {256, 524288, ring},
    {256, 1048576, no_row}, {256, any, ring}, {512, 32, doubling}, {512, 128, bruck}, {512, 1024, doubling},
    {512, 131072, no_row}, {512, 524288, ring}, {512, 1048576, no_row}, {512, any, ring}, {1024, 64, doubling},
    {1024, 256, bruck}, {1024, 2048, doubling}, {1024, any, no_row}, {2048, 4, doubling}, {2048, 8, bruck},
    {2048, 16, doubling}, {2048, 32, bruck}, {2048, 256, doubling}, {2048, 512, bruck}, {2048, 4096, doubling},
    {2048, any, no_row}, {4096, 32, bruck}, {4096, 128, doubling}, {4096, 512, bruck}, {4096, 4096, doubling},
    {4096, any, no_row}, {any, 2, doubling}, {any, 8, bruck}, {any, 16, doubling}, {any, 512, bruck},
    {any, 4096, doubling}, {any, any, no_row},
};

constexpr Choice alltoall_choices[] = {
    {3, 32768, pairwise}, {3, 262144, no_row}, {3, any, pairwise}, {8, 524288, no_row}, {8, 1048576, pairwise},
    {8, any, no_row}, {16, any, no_row}, {32, 4, no_row}, {32, 512, bruck}, {32, any, no_row}, {64, 512, bruck},
    {64, any, no_row}, {256, 1024, bruck}, {256, 262144, no_row}, {256, any, pairwise}, {512, 1024, bruck},
    {512, 32768, no_row}, {512, any, pairwise}, {1024, 512, bruck}, {1024, 262144, no_row}, {1024, any, pairwise},
    {2048, 512, bruck}, {2048, any, no_row}, {4096, 1024, bruck}, {4096, any, no_row}, {any, 2048, bruck},
    {any, any, no_row},
};
// clang-format on

std::span<const Choice> choices_for(Collective collective) {
    switch (collective) {
        case Collective::allreduce:
            return allreduce_choices;
        case Collective::bcast:
            return bcast_choices;
        case Collective::reduce:
            return reduce_choices;
        case Collective::reduce_scatter:
            return reduce_scatter_choices;
        case Collective::allgather:
            return allgather_choices;
        case Collective::alltoall:
            return alltoall_choices;
        default:
            return {};  // reduce_scatter_block: no row does the same
    }
}

/// The row that does what an algorithm of Open MPI does: with few elements or odd numbers of ranks, some fall back to
/// another one.
std::string_view carried_out(std::string_view row, Collective collective, int ranks, double bytes) {
    constexpr int typical_element = 8;  // bytes
    const bool fewer_elements_than_ranks = bytes < static_cast<double>(typical_element) * ranks;
    if (collective == Collective::allreduce && row == ring && fewer_elements_than_ranks) return doubling;
    const bool power_of_two = std::has_single_bit(static_cast<unsigned>(ranks));
    if (collective == Collective::allgather && row == doubling && !power_of_two) return bruck;
    return row;
}

}  // namespace

std::string_view tuned_row(Collective collective, int ranks, double bytes) {
    const bool by_piece = collective == Collective::allgather || collective == Collective::alltoall;
    const double compared = by_piece ? bytes / ranks : bytes;
    for (const Choice& choice : choices_for(collective)) {
        if (ranks < choice.ranks && compared < static_cast<double>(choice.bytes)) {
            return carried_out(choice.row, collective, ranks, bytes);
        }
    }
    return no_row;
}

}  // namespace coll_topo
