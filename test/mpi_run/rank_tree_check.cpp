// SPDX-License-Identifier: BSD-3-Clause
//
// What RankTree sends and collects, on communicators of 1, 2, ... ranks. Says what is wrong, and ends with status 1.
#include "coll_topo/mpi_run/rank_tree.hpp"

#include <cstdio>

namespace {

struct Word {
    int rank;
    int ranks;
    bool operator==(const Word&) const = default;
};

bool works(MPI_Comm communicator) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    const coll_topo::bench::RankTree tree(communicator);
    Word told = rank == 0 ? Word{-1, ranks} : Word{rank, 0};
    tree.tell(told);
    const std::vector<Word> answers = tree.ask(Word{rank, ranks});
    bool right = told == Word{-1, ranks} && answers.size() == static_cast<std::size_t>(rank == 0 ? ranks : 0);
    for (int i = 0; right && rank == 0 && i < ranks; ++i)
        right = answers[static_cast<std::size_t>(i)] == Word{i, ranks};
    if (!right) std::fprintf(stderr, "rank %d of %d heard something else than was said\n", rank, ranks);
    return right;
}

}  // namespace

int main(int count, char** arguments) {
    MPI_Init(&count, &arguments);
    int rank = 0, ranks = 0, failures = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int first = 1; first <= ranks; ++first) {
        MPI_Comm part = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, rank < first ? 0 : MPI_UNDEFINED, rank, &part);
        if (part == MPI_COMM_NULL) continue;
        failures += !works(part);
        MPI_Comm_free(&part);
    }
    MPI_Finalize();
    return failures == 0 ? 0 : 1;
}
