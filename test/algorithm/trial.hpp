// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/verify/proof.hpp"

#include <functional>
#include <string>
#include <vector>

namespace coll_topo::test {

/// What a row of the catalogue is tried with on a grid for a collective that it serves: all mixes of one lane, two, and
/// one for each direction of each axis; one aggregator, all, and some; one segment and more; all roots of up to
/// `few` ranks, two of more; once more in rank order where that is another schedule. Without those that the row
/// refuses.
std::vector<Problem> problems(const Algorithm& algorithm, Collective collective, const Grid& grid, int few = 12);

/// The programs of all ranks.
Schedule build_all(const Algorithm& algorithm, const Grid& grid, const Problem& problem);

/// "halving_doubling allreduce, 4 lanes, 2 aggregators, 1 segments, root 0"
std::string describe(const Algorithm& algorithm, const Problem& problem);

/// Reference algorithms see nothing but the number of ranks.
enum class Rows { all, that_know_the_network };

/// Whether a row looks at nothing but the number of ranks, as all textbook rows but the one that takes coordinates.
bool ignores_network(const Algorithm& algorithm);

/// The rows to prove and try: all of the catalogue, or the one that COLL_TOPO_ALGORITHM in the environment names, which
/// must be there.
std::vector<std::reference_wrapper<const Algorithm>> rows_to_try();

/// Whether that is the whole catalogue, of which counts are expected that a single row does not reach.
bool tries_all_rows();

/// In a sample, reduce_scatter_block is not proved but found to be done as reduce_scatter, which has the same goal:
/// fails the test if it is not, and gives whether the problem is one of these.
bool is_done_as_another(const Algorithm& algorithm, const Grid& grid, const Problem& problem,
                        const std::string& description);

/// Proves rows of the catalogue on a grid, with a Cartesian topology along its axes if there is one, for every
/// collective and problem that they serve, in rank order where they say so. Fails the test, and goes on with the next
/// collective of a row at its first failure. Gives the number of proofs in rank order.
int prove_catalogue(Grid grid, const std::string& description, Rows rows);

/// Whether COLL_TOPO_PROOF=full in the environment asks for many more proofs.
bool full_proof();

/// The most ranks that are proved on grids of many shapes: a proof takes time that grows with their square or cube.
int most_ranks();

}  // namespace coll_topo::test
