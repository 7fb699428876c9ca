// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/cartesian_communicator.hpp"

#include <utility>
#include <vector>

namespace coll_topo::bench {

namespace {

std::vector<Cartesian::Dimension> rectangle(MPI_Comm communicator) {
    int ranks = 0, sizes[2] = {0, 0};
    MPI_Comm_size(communicator, &ranks);
    MPI_Dims_create(ranks, 2, sizes);
    return {{sizes[0], true}, {sizes[1], true}};
}

}  // namespace

Cartesian agreed_cartesian(const std::optional<Cartesian>& of_first, MPI_Comm communicator) {
    int rank = 0, dimensions = 0;
    MPI_Comm_rank(communicator, &rank);
    std::vector<Cartesian::Dimension> all;
    if (rank == 0) all = of_first ? of_first->dimensions() : rectangle(communicator);
    dimensions = static_cast<int>(all.size());
    MPI_Bcast(&dimensions, 1, MPI_INT, 0, communicator);
    all.resize(static_cast<std::size_t>(dimensions));
    for (auto& [size, periodic] : all) {
        int numbers[2] = {size, periodic ? 1 : 0};
        MPI_Bcast(numbers, 2, MPI_INT, 0, communicator);
        size = numbers[0];
        periodic = numbers[1] != 0;
    }
    return Cartesian(std::move(all));
}

MPI_Comm make_cartesian(const Cartesian& cartesian, MPI_Comm communicator) {
    std::vector<int> sizes, periodic;
    for (const Cartesian::Dimension& dimension : cartesian.dimensions()) {
        sizes.push_back(dimension.size);
        periodic.push_back(dimension.periodic ? 1 : 0);
    }
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Cart_create(communicator, static_cast<int>(sizes.size()), sizes.data(), periodic.data(), 0, &made);
    return made;
}

}  // namespace coll_topo::bench
