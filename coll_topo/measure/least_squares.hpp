// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

namespace coll_topo::bench {

/// The coefficients for which the sums of coefficient times factor, one sum for each row of factors, come nearest to
/// the values (least squares). Nothing if the rows do not determine all coefficients.
std::optional<std::vector<double>> least_squares(const std::vector<std::vector<double>>& rows,
                                                 const std::vector<double>& values);

}  // namespace coll_topo::bench
