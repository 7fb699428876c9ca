// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace coll_topo {

enum class ExtremeOperation : std::uint8_t { maximum, minimum, maximum_location, minimum_location };

/// A number, or a structure of a number and an index as MPI defines it, with the compiler's padding.
enum class ExtremeElement : std::uint8_t {
    single_precision,    ///< float
    double_precision,    ///< double
    extended_precision,  ///< long double
    float_int,
    double_int,
    long_double_int,
    two_real,              ///< Fortran: two float, the second is the index
    two_double_precision,  ///< Fortran: two double
};

/// target = source op target, for `count` elements. Commutative and associative to the bit, so any schedule gives the
/// same bits; any alignment, no overlap. Padding of the target becomes 0, and a NaN the quiet one without payload.
///
/// maximum, minimum: -0 < +0; any NaN gives NaN. Locations: -0 equals +0, of equal numbers the one with the lowest
/// index comes out, whichever zero that is; a NaN wins, that of the lowest index. Equal numbers of equal index:
/// -0 < +0.
using CombineExtremes = void (*)(const void* source, void* target, std::size_t count);

/// Null where an operation is not defined for an element: locations are for pairs, the others for numbers.
CombineExtremes combine_extremes(ExtremeOperation operation, ExtremeElement element);

}  // namespace coll_topo
