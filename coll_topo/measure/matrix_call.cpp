// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/matrix_call.hpp"

#include <algorithm>

namespace coll_topo::bench {

namespace {

constexpr std::size_t guard_bytes = 256;
constexpr unsigned char guard = 0xa5;

constexpr std::string_view to_neighbors = "neighbor_";

/// "alltoallv" of an alltoallv and of a neighbor_alltoallv.
std::string_view kind_of(const MatrixCall& call) {
    std::string_view kind = call.collective;
    if (kind.starts_with(to_neighbors)) kind.remove_prefix(to_neighbors.size());
    return kind;
}

bool has_unequal_pairs(const MatrixCall& call) {
    return kind_of(call) == "alltoallv" || kind_of(call) == "alltoallw";
}

/// With whom a rank may exchange pieces: all ranks, or its neighbours, MPI_PROC_NULL where there is none.
std::vector<int> partners_of(const MatrixCall& call, MPI_Comm communicator, int ranks) {
    std::vector<int> partners;
    if (!call.collective.starts_with(to_neighbors)) {
        for (int rank = 0; rank < ranks; ++rank) partners.push_back(rank);
        return partners;
    }
    int dimensions = 0;
    MPI_Cartdim_get(communicator, &dimensions);
    for (int dimension = 0; dimension < dimensions; ++dimension) {
        int before = MPI_PROC_NULL, behind = MPI_PROC_NULL;
        MPI_Cart_shift(communicator, dimension, 1, &before, &behind);
        partners.insert(partners.end(), {before, behind});
    }
    return partners;
}

/// How many pieces of `count` elements a rank sends and receives.
struct Shape {
    int sent, received;
};

Shape shape_of(std::string_view kind, int partners) {
    if (kind.starts_with("allgather") || kind.starts_with("gather")) return {1, partners};
    if (kind.starts_with("scatter")) return {partners, 1};
    if (kind.starts_with("reduce_scatter")) return {partners, 1};
    if (kind.starts_with("alltoall")) return {partners, partners};
    if (kind == "barrier") return {0, 0};
    return {1, 1};
}

struct Pieces {
    std::vector<int> counts, places, byte_places;
    std::vector<MPI_Aint> addresses;  // byte_places of neighbor_alltoallw
    std::vector<MPI_Datatype> types;
};

/// Pieces of alltoallv and alltoallw have none, one or two times the elements, the same in both directions.
Pieces unequal_pieces(const MatrixCall& call, int rank, const std::vector<int>& partners) {
    Pieces pieces;
    int place = 0;
    for (const int partner : partners) {
        const int count = partner == MPI_PROC_NULL ? 0 : call.count * ((rank + partner) % 3);
        pieces.counts.push_back(count);
        pieces.places.push_back(place);
        pieces.byte_places.push_back(place * static_cast<int>(call.pair->extent));
        pieces.addresses.push_back(pieces.byte_places.back());
        pieces.types.push_back(call.pair->type);
        place += count;
    }
    return pieces;
}

int gathered_count(const MatrixCall& call, int rank) {
    return rank % 2 == 0 ? call.count : call.count / 2;
}

/// Of each rank half the elements or all of them, at the places that all would take.
Pieces gathered_pieces(const MatrixCall& call, const std::vector<int>& partners) {
    Pieces pieces;
    for (std::size_t number = 0; number < partners.size(); ++number) {
        pieces.counts.push_back(partners[number] == MPI_PROC_NULL ? 0 : gathered_count(call, partners[number]));
        pieces.places.push_back(static_cast<int>(number) * call.count);
    }
    return pieces;
}

int run_to_neighbors(const MatrixCall& call, const void* send, void* receive, int rank,
                     const std::vector<int>& partners, MPI_Comm communicator) {
    const MPI_Datatype type = call.pair->type;
    const std::string_view kind = kind_of(call);
    if (kind == "allgather") {
        return MPI_Neighbor_allgather(send, call.count, type, receive, call.count, type, communicator);
    }
    if (kind == "alltoall") {
        return MPI_Neighbor_alltoall(send, call.count, type, receive, call.count, type, communicator);
    }
    if (kind == "allgatherv") {
        const Pieces pieces = gathered_pieces(call, partners);
        return MPI_Neighbor_allgatherv(send, gathered_count(call, rank), type, receive, pieces.counts.data(),
                                       pieces.places.data(), type, communicator);
    }
    const Pieces pieces = unequal_pieces(call, rank, partners);
    if (kind == "alltoallv") {
        return MPI_Neighbor_alltoallv(send, pieces.counts.data(), pieces.places.data(), type, receive,
                                      pieces.counts.data(), pieces.places.data(), type, communicator);
    }
    return MPI_Neighbor_alltoallw(send, pieces.counts.data(), pieces.addresses.data(), pieces.types.data(), receive,
                                  pieces.counts.data(), pieces.addresses.data(), pieces.types.data(), communicator);
}

int run(const MatrixCall& call, const void* send, void* receive, int rank, const std::vector<int>& partners,
        MPI_Comm communicator) {
    if (call.collective.starts_with(to_neighbors)) {
        return run_to_neighbors(call, send, receive, rank, partners, communicator);
    }
    const std::size_t ranks = partners.size();
    const MPI_Datatype type = call.pair->type;
    const MPI_Op operation = call.pair->operation;
    const void* const from = call.in_place ? MPI_IN_PLACE : send;
    const std::string_view name = call.collective;
    if (name == "allreduce") return MPI_Allreduce(from, receive, call.count, type, operation, communicator);
    if (name == "reduce") {
        return MPI_Reduce(rank == call.root ? from : send, receive, call.count, type, operation, call.root,
                          communicator);
    }
    if (name == "scan") return MPI_Scan(from, receive, call.count, type, operation, communicator);
    if (name == "exscan") return MPI_Exscan(from, receive, call.count, type, operation, communicator);
    if (name == "bcast") return MPI_Bcast(receive, call.count, type, call.root, communicator);
    if (name == "allgather") return MPI_Allgather(from, call.count, type, receive, call.count, type, communicator);
    if (name == "gather") {
        return MPI_Gather(rank == call.root ? from : send, call.count, type, receive, call.count, type, call.root,
                          communicator);
    }
    if (name == "scatter")
        return MPI_Scatter(send, call.count, type, receive, call.count, type, call.root, communicator);
    if (name == "gatherv") {
        const Pieces pieces = gathered_pieces(call, partners);
        return MPI_Gatherv(rank == call.root ? from : send, pieces.counts[rank], type, receive, pieces.counts.data(),
                           pieces.places.data(), type, call.root, communicator);
    }
    if (name == "scatterv") {
        const Pieces pieces = gathered_pieces(call, partners);
        return MPI_Scatterv(send, pieces.counts.data(), pieces.places.data(), type, receive, pieces.counts[rank], type,
                            call.root, communicator);
    }
    if (name == "allgatherv") {
        const Pieces pieces = gathered_pieces(call, partners);
        return MPI_Allgatherv(from, pieces.counts[rank], type, receive, pieces.counts.data(), pieces.places.data(),
                              type, communicator);
    }
    if (name == "reduce_scatter_block") {
        return MPI_Reduce_scatter_block(from, receive, call.count, type, operation, communicator);
    }
    if (name == "reduce_scatter") {
        const std::vector<int> counts(ranks, call.count);
        return MPI_Reduce_scatter(from, receive, counts.data(), type, operation, communicator);
    }
    if (name == "alltoall") return MPI_Alltoall(send, call.count, type, receive, call.count, type, communicator);
    const Pieces pieces = unequal_pieces(call, rank, partners);
    if (name == "alltoallv") {
        return MPI_Alltoallv(send, pieces.counts.data(), pieces.places.data(), type, receive, pieces.counts.data(),
                             pieces.places.data(), type, communicator);
    }
    if (name == "alltoallw") {
        return MPI_Alltoallw(send, pieces.counts.data(), pieces.byte_places.data(), pieces.types.data(), receive,
                             pieces.counts.data(), pieces.byte_places.data(), pieces.types.data(), communicator);
    }
    return MPI_Barrier(communicator);
}

}  // namespace

bool reduces(std::string_view collective) {
    return collective == "allreduce" || collective.starts_with("reduce") || collective.ends_with("scan");
}

std::string MatrixCall::text() const {
    std::string text = reduces(collective) ? std::string(pair->operation_name) + " of " : "";
    text += std::string(pair->type_name) + ", " + std::to_string(count) + " elements";
    if (root > 0) text += ", root " + std::to_string(root);
    return in_place ? text + ", in place" : text;
}

MatrixOutcome run_call(const MatrixCall& call, MPI_Comm communicator) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    const std::vector<int> partners = partners_of(call, communicator, ranks);
    const Shape shape = shape_of(kind_of(call), static_cast<int>(partners.size()));
    const std::size_t extent = call.pair->extent;
    const auto elements = [&](int pieces) {  // unequal pieces have twice the elements at most
        return static_cast<std::size_t>(pieces) * static_cast<std::size_t>(call.count) *
               (has_unequal_pairs(call) ? 2 : 1);
    };
    std::vector<unsigned char> send(std::max<std::size_t>(1, elements(shape.sent) * extent));
    for (std::size_t i = 0; i < elements(shape.sent); ++i) {
        call.pair->write(call.pair->operation, rank, ranks, i, &send[i * extent]);
    }
    const std::vector<unsigned char> operands = send;
    // In place, operands stand in the receive buffer: of reduce_scatter all pieces, of allgather(v) and gather at the
    // own one.
    const std::size_t room = std::max(elements(shape.received), call.in_place ? elements(shape.sent) : 0) * extent;
    std::vector<unsigned char> memory(room + 2 * guard_bytes, guard);
    unsigned char* const receive = memory.data() + guard_bytes;
    std::fill(receive, receive + room, 0);
    const bool starts_there = call.in_place || (call.collective == "bcast" && rank == call.root);
    if (starts_there) {
        const auto place =
            call.collective.find("gather") != std::string::npos ? static_cast<std::size_t>(rank) * send.size() : 0;
        std::copy(send.begin(), send.end(), receive + place);
    }
    MatrixOutcome outcome;
    outcome.status = run(call, send.data(), receive, rank, partners, communicator);
    outcome.operands_untouched = send == operands;
    const auto is_guard = [](unsigned char byte) { return byte == guard; };
    outcome.guards_untouched = std::all_of(memory.begin(), memory.begin() + guard_bytes, is_guard) &&
                               std::all_of(memory.end() - guard_bytes, memory.end(), is_guard);
    // Of reduce_scatter in place, what is behind the own piece is not defined; of reduce and gather, what is not at the
    // root.
    const bool at_root = call.collective == "reduce" || call.collective.starts_with("gather");
    const bool has_result = !at_root || rank == call.root;
    const std::size_t defined = has_result ? elements(shape.received) * extent : 0;
    outcome.received.assign(receive, receive + defined);
    return outcome;
}

}  // namespace coll_topo::bench
