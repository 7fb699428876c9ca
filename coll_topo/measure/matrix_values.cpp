// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/matrix_values.hpp"

#include "coll_topo/mpi_run/pattern.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace coll_topo::bench {

namespace {

std::uint32_t mixed(int rank, std::size_t index) {
    return Pattern::scrambled(index) * weight_of(rank, 1) >> 7;
}

template <typename Number>
Number operand(MPI_Op operation, int rank, int ranks, std::size_t index) {
    const std::uint32_t hash = mixed(rank, index);
    const bool is_twice = (static_cast<std::size_t>(rank) + index) % static_cast<std::size_t>(ranks) == 0;
    if (operation == MPI_PROD)
        return static_cast<Number>(is_twice ? 2 : std::is_signed_v<Number> && hash % 2 == 0 ? -1 : 1);
    if (operation == MPI_SUM) return static_cast<Number>(hash % 5);
    if (operation == MPI_MAX || operation == MPI_MIN) return static_cast<Number>(hash % 201);
    if (operation == MPI_LAND || operation == MPI_LOR || operation == MPI_LXOR) {
        return static_cast<Number>(is_twice ? hash % 2 : operation == MPI_LAND ? 1 + hash % 9 : 0);
    }
    return static_cast<Number>(hash);
}

template <typename Number>
void write_number(MPI_Op operation, int rank, int ranks, std::size_t index, void* place) {
    const auto value = operand<Number>(operation, rank, ranks, index);
    std::memcpy(place, &value, sizeof value);
}

/// Equal values are common, so that the place decides.
void write_pair(MPI_Op, int rank, int ranks, std::size_t index, void* place) {
    const int pair[2] = {static_cast<int>(mixed(rank, index) % 7), ranks - 1 - rank};
    std::memcpy(place, pair, sizeof pair);
}

template <typename Number>
MatrixPair number_pair(const char* operation_name, MPI_Op operation, const char* type_name, MPI_Datatype type) {
    return {operation_name, operation, type_name, type, sizeof(Number), write_number<Number>};
}

std::vector<MatrixPair> make_reductions() {
    std::vector<MatrixPair> pairs;
    for (const auto& [name, operation] :
         {std::pair("sum", MPI_SUM), {"product", MPI_PROD}, {"max", MPI_MAX}, {"min", MPI_MIN}}) {
        pairs.push_back(number_pair<int>(name, operation, "int", MPI_INT));
        pairs.push_back(number_pair<std::uint64_t>(name, operation, "uint64", MPI_UINT64_T));
        pairs.push_back(number_pair<float>(name, operation, "float", MPI_FLOAT));
        pairs.push_back(number_pair<double>(name, operation, "double", MPI_DOUBLE));
    }
    for (const auto& [name, operation] : {std::pair("bitwise and", MPI_BAND),
                                          {"bitwise or", MPI_BOR},
                                          {"bitwise exclusive or", MPI_BXOR},
                                          {"logical and", MPI_LAND},
                                          {"logical or", MPI_LOR},
                                          {"logical exclusive or", MPI_LXOR}}) {
        pairs.push_back(number_pair<std::int32_t>(name, operation, "int32", MPI_INT32_T));
    }
    for (const auto& [name, operation] : {std::pair("max with place", MPI_MAXLOC), {"min with place", MPI_MINLOC}}) {
        pairs.push_back({name, operation, "2 int", MPI_2INT, 2 * sizeof(int), write_pair});
    }
    return pairs;
}

}  // namespace

std::span<const MatrixPair> reductions() {
    static const std::vector<MatrixPair> pairs = make_reductions();
    return pairs;
}

std::span<const MatrixPair> movements() {
    static const std::vector<MatrixPair> pairs = {number_pair<std::int32_t>("", MPI_BOR, "int32", MPI_INT32_T),
                                                  number_pair<double>("", MPI_BOR, "double", MPI_DOUBLE),
                                                  {"", MPI_BOR, "2 int", MPI_2INT, 2 * sizeof(int), write_pair}};
    return pairs;
}

}  // namespace coll_topo::bench
