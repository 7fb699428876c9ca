// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/submesh_rules.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/job_placement/even_spread.hpp"
#include "coll_topo/job_placement/submesh_search.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace coll_topo {
namespace {

constexpr std::size_t most_passed_over = 5;

/// A shape to look for, and how many hosts it takes, surplus included.
struct Wanted {
    SubmeshShape shape;
    int hosts = 0;
};

/// "4 columns x 2 rows of leaves, 3 or 4 hosts each".
std::string shape_text(const SubmeshShape& shape) {
    std::string hosts = std::to_string(shape.hosts_of_leaf) + " ";
    if (shape.one_more) hosts += "or " + std::to_string(shape.hosts_of_leaf + 1) + " ";
    return counted(shape.columns, "column", "columns") + " x " + counted(shape.rows, "row", "rows") + " of leaves, " +
           hosts + (shape.one_more || shape.hosts_of_leaf > 1 ? "hosts" : "host") + " each";
}

/// "0-3, 5".
std::string places_text(const std::vector<int>& places) {
    std::string text;
    for (std::size_t i = 0; i < places.size();) {
        std::size_t last = i;
        while (last + 1 < places.size() && places[last + 1] == places[last] + 1) ++last;
        text += (i > 0 ? ", " : "") + std::to_string(places[i]);
        if (last > i) text += "-" + std::to_string(places[last]);
        i = last + 1;
    }
    return text;
}

std::string phases_text(const SubmeshShape& shape) {
    return counted(submesh_phases(shape), "phase", "phases");
}

/// Free hosts of the leaf that has most.
int fullest_leaf(const LeafGrid& grid) {
    std::size_t most = 0;
    for (const auto& leaf : grid.free_hosts) most = std::max(most, leaf.size());
    return static_cast<int>(most);
}

/// The value for the job; hosts in surplus count as room that is left over.
double value_of(const SubmeshShape& shape, const SubmeshSite& site, const Job& job) {
    return submesh_value(shape, site, job.hosts, job.weights);
}

/// The value at the best site that there could be.
double highest_value(const Wanted& wanted, const Job& job) {
    return value_of(wanted.shape, {wanted.hosts, wanted.shape.columns, wanted.shape.rows}, job);
}

/// Hosts of the leaves of the submesh for the job, `reserved` with the surplus, at most `of_leaf` of a leaf.
JobPlacement take_hosts(const LeafGrid& grid, const Submesh& submesh, const Job& job, int reserved, int of_leaf) {
    std::vector<const std::vector<std::int32_t>*> leaves;
    std::vector<int> room;
    for (const int column : submesh.columns) {
        for (const int row : submesh.rows) {
            leaves.push_back(&grid.free_hosts[column * grid.order + row]);
            room.push_back(std::min(of_leaf, grid.free(column, row)));
        }
    }
    const std::vector<int> taken = even_shares(room, reserved);
    const std::vector<int> used = even_shares(taken, job.hosts);
    JobPlacement placement;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        const auto begin = leaves[leaf]->begin();
        placement.hosts.insert(placement.hosts.end(), begin, begin + used[leaf]);
        placement.surplus.insert(placement.surplus.end(), begin + used[leaf], begin + taken[leaf]);
    }
    return placement;
}

std::string reason_text(const SubmeshShape& shape, const Submesh& submesh, const SubmeshSite& site, const Job& job) {
    return "columns " + places_text(submesh.columns) + " and rows " + places_text(submesh.rows) + " of the plane; " +
           phases_text(shape) + "; " + std::to_string(job.hosts) + " of " + std::to_string(site.free_hosts) +
           " free hosts of its leaves";
}

/// What became of the shapes that were not taken, the best first.
std::vector<PassedOver> passed_over(const std::vector<Wanted>& wanted, std::size_t chosen,
                                    const std::vector<std::optional<double>>& values, std::size_t looked_at,
                                    const Job& job) {
    std::vector<PassedOver> list;
    for (std::size_t i = 0; i < wanted.size() && list.size() < most_passed_over; ++i) {
        if (i == chosen) continue;
        const bool looked = i < looked_at;
        std::string reason = phases_text(wanted[i].shape);
        if (looked && !values[i]) reason += ", but nowhere free";
        if (!looked) reason += ", at most this value";
        if (wanted[i].hosts > job.hosts) {
            reason += ", " + counted(wanted[i].hosts - job.hosts, "surplus host", "surplus hosts");
        }
        list.push_back({shape_text(wanted[i].shape), looked ? values[i] : highest_value(wanted[i], job), reason});
    }
    return list;
}

/// The best of some shapes with equal surplus; of equal values the first.
Expected<JobPlacement> best_of(const LeafGrid& grid, const Job& job, std::vector<Wanted> wanted) {
    std::stable_sort(wanted.begin(), wanted.end(),
                     [&](const Wanted& a, const Wanted& b) { return highest_value(a, job) > highest_value(b, job); });
    std::optional<Submesh> best;
    std::size_t chosen = 0, looked_at = 0;
    std::vector<std::optional<double>> values(wanted.size());
    for (; looked_at < wanted.size(); ++looked_at) {
        const Wanted& one = wanted[looked_at];
        if (best && highest_value(one, job) <= *values[chosen]) break;
        auto found = find_submesh(grid, one.shape, one.hosts, job.weights);
        if (!found) continue;
        values[looked_at] = value_of(one.shape, site_of(grid, *found), job);
        if (best && *values[looked_at] <= *values[chosen]) continue;
        best = std::move(found);
        chosen = looked_at;
    }
    if (!best) return failure("no such columns and rows have enough free hosts at each of their leaves");
    const Wanted& taken = wanted[chosen];
    const int of_leaf = taken.shape.hosts_of_leaf + (taken.shape.one_more ? 1 : 0);
    JobPlacement placement = take_hosts(grid, *best, job, taken.hosts, of_leaf);
    placement.shape = shape_text(taken.shape);
    placement.value = values[chosen];
    placement.reason = reason_text(taken.shape, *best, site_of(grid, *best), job);
    placement.passed_over = passed_over(wanted, chosen, values, looked_at, job);
    return placement;
}

/// All columns x rows of the grid that some condition allows, filled evenly.
template <typename Condition>
std::vector<Wanted> even_shapes(const LeafGrid& grid, const Job& job, Condition allowed) {
    std::vector<Wanted> shapes;
    for (int columns = 1; columns <= grid.order; ++columns) {
        for (int rows = 1; rows <= grid.order && columns * rows <= job.hosts; ++rows) {
            if (allowed(columns, rows)) shapes.push_back({even_shape(columns, rows, job.hosts), job.hosts});
        }
    }
    return shapes;
}

/// One shape, which may be larger than the grid.
Expected<JobPlacement> exactly(const LeafGrid& grid, const Job& job, const Wanted& wanted) {
    if (wanted.shape.columns > grid.order || wanted.shape.rows > grid.order) {
        return failure("it needs " + shape_text(wanted.shape) + ", but the plane has " + std::to_string(grid.order) +
                       " columns and rows");
    }
    auto placement = best_of(grid, job, {wanted});
    if (!placement) return failure("it needs " + shape_text(wanted.shape) + ", which are nowhere free");
    return placement;
}

/// The largest k with k^power <= n.
int root(int n, int power) {
    const auto fits = [&](std::int64_t k) {
        std::int64_t product = 1;
        for (int i = 0; i < power; ++i) product *= k;
        return product <= n;
    };
    int k = 0;
    while (fits(k + 1)) ++k;
    return k;
}

}  // namespace

Expected<JobPlacement> place_best_value(const LeafGrid& grid, const Job& job) {
    return best_of(grid, job, even_shapes(grid, job, [](int, int) { return true; }));
}

Expected<JobPlacement> place_powers_of_two(const LeafGrid& grid, const Job& job) {
    const auto power = [](int n) { return std::has_single_bit(static_cast<unsigned>(n)); };
    return best_of(grid, job,
                   even_shapes(grid, job, [&](int columns, int rows) { return power(columns) && power(rows); }));
}

Expected<JobPlacement> place_one_host_per_leaf(const LeafGrid& grid, const Job& job) {
    const int k = root(job.hosts, 2) + 1;
    return exactly(grid, job, {{k, k, 1, false}, k * k});
}

Expected<JobPlacement> place_cube(const LeafGrid& grid, const Job& job) {
    const int n = job.hosts, k = root(n, 3);
    const int columns = n < k * (k + 1) * (k + 1) ? k : k + 1;
    const int rows = n < k * k * (k + 1) ? k : k + 1;
    return exactly(grid, job, {even_shape(columns, rows, n), n});
}

Expected<JobPlacement> place_equal_hosts(const LeafGrid& grid, const Job& job) {
    std::vector<Wanted> shapes;
    for (int columns = 1; columns <= grid.order; ++columns) {
        for (int rows = 1; rows <= grid.order && columns * rows <= job.hosts; ++rows) {
            const int leaves = columns * rows;
            const int each = (job.hosts + leaves - 1) / leaves;
            shapes.push_back({{columns, rows, each, false}, leaves * each});
        }
    }
    std::stable_sort(shapes.begin(), shapes.end(), [](const Wanted& a, const Wanted& b) { return a.hosts < b.hosts; });
    for (auto begin = shapes.begin(); begin != shapes.end();) {
        const auto end = std::find_if(begin, shapes.end(), [&](const Wanted& w) { return w.hosts != begin->hosts; });
        if (auto placement = best_of(grid, job, {begin, end})) return placement;
        begin = end;
    }
    return failure("no columns and rows have equally many free hosts on each of their leaves, together enough");
}

Expected<JobPlacement> place_grow(const LeafGrid& grid, const Job& job) {
    int columns = job.columns;
    if (columns == 0) {
        const int most = std::max(1, fullest_leaf(grid));
        const int leaves = (job.hosts + most - 1) / most;
        columns = std::clamp(root(leaves - 1, 2) + 1, 1, grid.order);
    }
    if (columns > grid.order) {
        return failure("it was told to use " + std::to_string(columns) + " columns, but the plane has " +
                       std::to_string(grid.order));
    }
    auto submesh = grow_submesh(grid, columns, job.hosts);
    if (!submesh && job.columns == 0) {
        for (columns = grid.order; columns > 0; --columns) {
            submesh = grow_submesh(grid, columns, job.hosts);
            if (submesh) break;
        }
    }
    if (!submesh) {
        return failure("no columns, or not so many, have enough free hosts in rows that cross all of them");
    }

    const SubmeshSite site = site_of(grid, *submesh);
    const int leaves = static_cast<int>(submesh->columns.size() * submesh->rows.size());
    JobPlacement placement = take_hosts(grid, *submesh, job, std::max(job.hosts, leaves), site.free_hosts);
    placement.shape = counted(columns, "column", "columns") + " x " +
                      counted(static_cast<int>(submesh->rows.size()), "row", "rows") + " of leaves";
    placement.reason = "columns " + places_text(submesh->columns) + " and rows " + places_text(submesh->rows) +
                       " of the plane; " + std::to_string(job.hosts) + " of " + std::to_string(site.free_hosts) +
                       " free hosts of its leaves";
    return placement;
}

}  // namespace coll_topo
