// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <vector>

namespace coll_topo::bench {

/// Words of rank 0 to all ranks, and their answers, as messages along a binomial tree. A collective between two
/// measured calls would leave the code of the component that serves it in the caches: that component would be measured
/// warm, the others cold.
class RankTree {
public:
    explicit RankTree(MPI_Comm communicator) : communicator_(communicator) {
        MPI_Comm_rank(communicator, &rank_);
        MPI_Comm_size(communicator, &ranks_);
    }

    /// Rank 0's value, for all. Collective.
    template <typename Word>
    void tell(Word& word) const {
        if (rank_ > 0) MPI_Recv(&word, sizeof word, MPI_BYTE, parent(), tag, communicator_, MPI_STATUS_IGNORE);
        for (int distance = reach() / 2; distance > 0; distance /= 2) {
            if (rank_ + distance < ranks_) MPI_Send(&word, sizeof word, MPI_BYTE, rank_ + distance, tag, communicator_);
        }
    }

    /// The values of all ranks by rank, for rank 0; of other ranks nothing. Collective; no rank returns before its
    /// subtree has called it.
    template <typename Word>
    std::vector<Word> ask(const Word& own) const {
        std::vector<Word> words(static_cast<std::size_t>(std::min(reach(), ranks_ - rank_)), own);
        for (int distance = 1; distance < reach() && rank_ + distance < ranks_; distance *= 2) {
            const int count = std::min(distance, ranks_ - rank_ - distance);
            MPI_Recv(&words[static_cast<std::size_t>(distance)], count * static_cast<int>(sizeof own), MPI_BYTE,
                     rank_ + distance, tag, communicator_, MPI_STATUS_IGNORE);
        }
        if (rank_ == 0) return words;
        MPI_Send(words.data(), static_cast<int>(words.size() * sizeof own), MPI_BYTE, parent(), tag, communicator_);
        return {};
    }

private:
    static constexpr int tag = 1;

    /// The size of this rank's subtree where ranks do not run out: a power of two.
    int reach() const {
        int reach = 1;
        while (reach < ranks_ && (rank_ & reach) == 0) reach *= 2;
        return reach;
    }
    int parent() const { return rank_ & (rank_ - 1); }

    MPI_Comm communicator_;
    int rank_ = 0;
    int ranks_ = 1;
};

}  // namespace coll_topo::bench
