// SPDX-License-Identifier: BSD-3-Clause
#include "test/algorithm/trial.hpp"

#include "coll_topo/select/decision.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string_view>

namespace coll_topo::test {
namespace {

std::set<int> roots(Collective collective, int ranks, int few) {
    std::set<int> roots = {0};
    if (!is_rooted(collective)) return roots;
    if (ranks > few) return full_proof() ? std::set{0, 1, ranks / 2, ranks - 1} : std::set{0, ranks / 2 | 1};
    for (int root = 1; root < ranks; ++root) roots.insert(root);
    return roots;
}

}  // namespace

std::vector<Problem> problems(const Algorithm& algorithm, Collective collective, const Grid& grid, int few) {
    std::set<int> lanes = {1}, aggregators = {1}, segments = {1};
    if (algorithm.uses_lanes) {
        lanes.insert({2, std::max(1, 2 * static_cast<int>(grid.axes().size()))});
        if (full_proof()) lanes.insert(most_lanes);
    }
    if (algorithm.uses_aggregators)
        aggregators.insert({grid.fewest_ranks_per_host(), (grid.fewest_ranks_per_host() + 1) / 2});
    if (algorithm.uses_segments) segments.insert({2, 5});
    std::vector<Problem> all;
    for (const int a : aggregators) {
        for (const int l : lanes) {
            for (const int s : segments) {
                for (const int root : roots(collective, grid.ranks(), few)) {
                    Problem problem{collective, a, l, s, root};
                    if (!algorithm.refusal(grid, problem).empty()) continue;
                    all.push_back(problem);
                    const bool anyway = algorithm.in_order(grid, problem);
                    problem.in_rank_order = true;
                    if (!anyway && algorithm.in_order(grid, problem)) all.push_back(problem);
                }
            }
        }
    }
    return all;
}

bool ignores_network(const Algorithm& algorithm) {
    return algorithm.reference && algorithm.name != "linear_by_coordinates";
}

Schedule build_all(const Algorithm& algorithm, const Grid& grid, const Problem& problem) {
    Schedule schedule;
    if (algorithm.build_all == nullptr) {
        for (int rank = 0; rank < grid.ranks(); ++rank) schedule.push_back(algorithm.build(grid, problem, rank));
        return schedule;
    }
    // What a rank builds alone is the same. Each finds anew what all have in common, which takes long: of many ranks,
    // every so many are compared, an odd number so that they differ in their places on hosts.
    schedule = algorithm.build_all(grid, problem);
    const int every = full_proof() || grid.ranks() <= 8 ? 1 : (grid.ranks() / 4) | 1;
    EXPECT_EQ(schedule.size(), static_cast<std::size_t>(grid.ranks()));
    for (std::size_t rank = 0; rank < schedule.size(); rank += every) {
        EXPECT_TRUE(schedule[rank] == algorithm.build(grid, problem, static_cast<int>(rank)))
            << describe(algorithm, problem) << ", rank " << rank;
    }
    return schedule;
}

std::string describe(const Algorithm& algorithm, const Problem& problem) {
    return std::string(algorithm.name) + " " + std::string(collective_name(problem.collective)) + ", " +
           std::to_string(problem.lanes) + " lanes, " + std::to_string(problem.aggregators) + " aggregators, " +
           std::to_string(problem.segments) + " segments, root " + std::to_string(problem.root) +
           (problem.in_rank_order ? ", in rank order" : "");
}

bool tries_all_rows() {
    return std::getenv("COLL_TOPO_ALGORITHM") == nullptr;
}

std::vector<std::reference_wrapper<const Algorithm>> rows_to_try() {
    if (tries_all_rows()) return {catalogue().begin(), catalogue().end()};
    const char* const name = std::getenv("COLL_TOPO_ALGORITHM");
    const Algorithm* const row = find_algorithm(name);
    if (row == nullptr) throw std::runtime_error(std::string("COLL_TOPO_ALGORITHM names no algorithm: ") + name);
    return {*row};
}

bool is_done_as_another(const Algorithm& algorithm, const Grid& grid, const Problem& problem,
                        const std::string& description) {
    if (full_proof() || problem.collective != Collective::reduce_scatter_block ||
        !algorithm.serves(Collective::reduce_scatter)) {
        return false;
    }
    Problem other = problem;
    other.collective = Collective::reduce_scatter;
    for (const int rank : {0, grid.ranks() / 2, grid.ranks() - 1}) {
        EXPECT_TRUE(algorithm.build(grid, problem, rank) == algorithm.build(grid, other, rank))
            << describe(algorithm, problem) << ", rank " << rank << ", on " << description;
    }
    return true;
}

int prove_catalogue(Grid grid, const std::string& description, Rows rows) {
    int proofs_in_order = 0;
    grid.set_cartesian(cartesian_along_axes(grid));
    for (const Algorithm& algorithm : rows_to_try()) {
        if (ignores_network(algorithm) && rows != Rows::all) continue;
        for (int c = 0; c < collective_count; ++c) {
            const auto collective = static_cast<Collective>(c);
            if (!algorithm.serves(collective)) continue;
            for (const Problem& problem : problems(algorithm, collective, grid, full_proof() ? 12 : 6)) {
                if (is_done_as_another(algorithm, grid, problem, description)) continue;
                const bool in_order = algorithm.in_order(grid, problem);
                const auto proved =
                    prove(collective, build_all(algorithm, grid, problem), in_order, problem.root, grid.cartesian());
                proofs_in_order += in_order ? 1 : 0;
                if (proved) continue;
                ADD_FAILURE() << describe(algorithm, problem) << (in_order ? ", in order" : "") << ", on "
                              << description << " (" << grid.summary() << "):\n"
                              << proved.error().text();
                break;
            }
        }
    }
    return proofs_in_order;
}

bool full_proof() {
    const char* const wish = std::getenv("COLL_TOPO_PROOF");
    return wish != nullptr && std::string_view(wish) == "full";
}

int most_ranks() {
    return full_proof() ? 200 : 64;
}

}  // namespace coll_topo::test
