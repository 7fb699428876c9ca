// SPDX-License-Identifier: BSD-3-Clause
// Solves the normal equations; factors are small whole numbers here, so that their squares lose nothing.
#include "coll_topo/measure/least_squares.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace coll_topo::bench {

namespace {

using Matrix = std::vector<std::vector<double>>;

constexpr double smallest_pivot = 1e-9;  // of products of whole numbers

/// The normal equations, with the right side as the last column.
Matrix normal_equations(const Matrix& rows, const std::vector<double>& values) {
    const std::size_t unknowns = rows.front().size();
    Matrix equations(unknowns, std::vector<double>(unknowns + 1));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (std::size_t i = 0; i < unknowns; ++i) {
            for (std::size_t j = 0; j < unknowns; ++j) equations[i][j] += rows[row][i] * rows[row][j];
            equations[i][unknowns] += rows[row][i] * values[row];
        }
    }
    return equations;
}

/// Moves the equation with the largest factor of an unknown to its place. False if all factors are 0.
bool choose_pivot(Matrix& equations, std::size_t column) {
    std::size_t best = column;
    for (std::size_t row = column + 1; row < equations.size(); ++row) {
        if (std::abs(equations[row][column]) > std::abs(equations[best][column])) best = row;
    }
    std::swap(equations[column], equations[best]);
    return std::abs(equations[column][column]) > smallest_pivot;
}

}  // namespace

std::optional<std::vector<double>> least_squares(const Matrix& rows, const std::vector<double>& values) {
    if (rows.empty()) return std::nullopt;
    Matrix equations = normal_equations(rows, values);
    const std::size_t unknowns = equations.size();
    for (std::size_t column = 0; column < unknowns; ++column) {
        if (!choose_pivot(equations, column)) return std::nullopt;
        for (std::size_t row = 0; row < unknowns; ++row) {
            if (row == column) continue;
            const double share = equations[row][column] / equations[column][column];
            for (std::size_t i = column; i <= unknowns; ++i) equations[row][i] -= share * equations[column][i];
        }
    }
    std::vector<double> solution;
    for (std::size_t i = 0; i < unknowns; ++i) solution.push_back(equations[i][unknowns] / equations[i][i]);
    return solution;
}

}  // namespace coll_topo::bench
