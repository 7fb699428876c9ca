// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/goal.hpp"

#include <algorithm>

namespace coll_topo::verify {
namespace {

/// Where a rank's contribution is at the start.
Buffer origin(Collective collective) {
    const bool in_output = collective == Collective::allreduce || collective == Collective::reduce ||
                           collective == Collective::bcast || is_prefix(collective);
    return in_output ? Buffer::output : Buffer::input;
}

int contribution_count(Collective collective, int ranks, const Cartesian* cartesian) {
    if (collective == Collective::neighbor_alltoall) return ranks * cartesian->neighbors();
    return collective == Collective::alltoall ? ranks * ranks : ranks;
}

}  // namespace

Goal::Goal(Collective collective, int ranks, int root, bool in_order, const Cartesian* cartesian)
    : collective_(collective),
      ranks_(ranks),
      root_(root),
      cartesian_(cartesian),
      contributions_(contribution_count(collective, ranks, cartesian), in_order) {}

void Goal::set_start(int rank, const Memory& memory, std::span<Value> values) const {
    const bool from_root = collective_ == Collective::bcast || collective_ == Collective::scatter;
    if (from_root && rank != root_) return;
    const Range held = memory.existing(origin(collective_));
    if (is_neighborhood(collective_)) {
        const int first = collective_ == Collective::neighbor_alltoall ? rank * cartesian_->neighbors() : rank;
        for (int block = held.begin; block < held.end; ++block) {
            values[block] = Contributions::only(first + block - held.begin);
        }
        return;
    }
    const bool pieces = collective_ == Collective::alltoall;
    const bool spread = collective_ == Collective::scatter;
    const int slices = (held.end - held.begin) / ranks_;
    for (int location = held.begin; location < held.end; ++location) {
        const int piece = pieces || spread ? (location - held.begin) / slices : 0;
        const int contribution = pieces ? rank * ranks_ + piece : spread ? piece : rank;
        values[location] = Contributions::only(contribution);
    }
}

std::string Goal::missing(int rank, const Memory& memory, std::span<const Value> values) const {
    if (collective_ == Collective::reduce && rank != root_) return {};
    const Range output = memory.existing(Buffer::output);
    const int blocks = output.end - output.begin;
    if (collective_ == Collective::gather && rank != root_)
        return written(memory, values.subspan(output.begin, blocks));
    for (int block = 0; block < blocks; ++block) {
        const int location = output.begin + block;
        const Value result = values[location];
        if (reached(rank, block, blocks, result)) continue;
        return memory.name(location) + " ends with " + text(result) + " instead of " + demand(rank, block, blocks);
    }
    return {};
}

std::string Goal::written(const Memory& memory, std::span<const Value> output) {
    const auto found = std::ranges::find_if(output, [](Value value) { return value != Contributions::nothing; });
    if (found == output.end()) return {};
    const int location = memory.existing(Buffer::output).begin + static_cast<int>(found - output.begin());
    return memory.name(location) + " is written, but only the root has an output";
}

Goal::Value Goal::from_neighbor(int rank, int number) const {
    const int neighbor = cartesian_->neighbor(rank, number);
    if (neighbor < 0) return Contributions::nothing;
    if (collective_ == Collective::neighbor_allgather) return Contributions::only(neighbor);
    return Contributions::only(neighbor * cartesian_->neighbors() + Cartesian::opposite(number));
}

bool Goal::reached(int rank, int block, int blocks, Value value) const {
    switch (collective_) {
        case Collective::bcast:
            return value == Contributions::only(root_);
        case Collective::allgather:
        case Collective::gather:
            return value == Contributions::only(block / (blocks / ranks_));
        case Collective::scatter:
            return value == Contributions::only(rank);
        case Collective::alltoall:
            return value == Contributions::only(block / (blocks / ranks_) * ranks_ + rank);
        case Collective::neighbor_allgather:
        case Collective::neighbor_alltoall:
            return value == from_neighbor(rank, block);
        case Collective::scan:
            return contributions_.is_first(value, rank + 1);
        case Collective::exscan:
            // Rank 0 gets nothing.
            return contributions_.is_first(value, std::max(1, rank));
        default:
            return contributions_.all(value);
    }
}

std::string Goal::demand(int rank, int block, int blocks) const {
    switch (collective_) {
        case Collective::bcast:
            return "the data of root " + std::to_string(root_);
        case Collective::allgather:
        case Collective::gather:
            return "the piece of rank " + std::to_string(block / (blocks / ranks_));
        case Collective::scatter:
            return "the root's piece for rank " + std::to_string(rank);
        case Collective::alltoall:
            return piece_text(block / (blocks / ranks_) * ranks_ + rank);
        case Collective::neighbor_allgather:
        case Collective::neighbor_alltoall:
            return cartesian_->neighbor(rank, block) < 0 ? "what stood there" : text(from_neighbor(rank, block));
        case Collective::scan:
            return "the contributions of ranks 0 to " + std::to_string(rank);
        case Collective::exscan:
            return rank == 0 ? "what stood there" : "the contributions of the ranks before " + std::to_string(rank);
        default:
            return "all ranks' contributions";
    }
}

std::string Goal::text(Value value) const {
    const bool pieces = collective_ == Collective::alltoall || collective_ == Collective::neighbor_alltoall;
    return pieces && value != Contributions::nothing ? piece_text(contributions_.lowest(value))
                                                     : contributions_.text(value);
}

std::string Goal::piece_text(int piece) const {
    if (cartesian_ != nullptr) {
        const int neighbors = cartesian_->neighbors();
        return "the piece from rank " + std::to_string(piece / neighbors) + " for its neighbour " +
               std::to_string(piece % neighbors);
    }
    return "the piece from rank " + std::to_string(piece / ranks_) + " for rank " + std::to_string(piece % ranks_);
}

}  // namespace coll_topo::verify
