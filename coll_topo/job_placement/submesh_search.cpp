// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/submesh_search.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

namespace coll_topo {
namespace {

/// Goes through choices of columns and, for each, the rows in which every leaf of them has enough free hosts.
template <typename Visitor>
class ColumnChoices {
public:
    /// `visit(columns, rows)` is called for choices with at least `rows` such rows; true ends the search.
    ColumnChoices(const LeafGrid& grid, int columns, int rows, int hosts_of_leaf, Visitor& visit)
        : grid_(grid), wanted_(columns), rows_(rows), hosts_of_leaf_(hosts_of_leaf), visit_(visit) {}

    void run() {
        std::vector<int> all(grid_.order);
        std::iota(all.begin(), all.end(), 0);
        for (int first = 0; first + wanted_ <= grid_.order && !ended_; ++first) {
            std::vector<int> rows = all;
            chosen_.clear();
            for (int column = first; column < first + wanted_; ++column) rows = choose(column, rows);
            if (static_cast<int>(rows.size()) >= rows_) ended_ = visit_(chosen_, rows);
        }
        chosen_.clear();
        extend(0, all);
    }

private:
    std::vector<int> choose(int column, const std::vector<int>& rows) {
        chosen_.push_back(column);
        std::vector<int> left;
        for (const int row : rows) {
            if (grid_.free(column, row) >= hosts_of_leaf_) left.push_back(row);
        }
        return left;
    }

    void extend(int next, const std::vector<int>& rows) {
        if (static_cast<int>(rows.size()) < rows_) return;
        const int missing = wanted_ - static_cast<int>(chosen_.size());
        if (missing == 0) {
            ended_ = visit_(chosen_, rows) || ++choices_ >= most_choices;
            return;
        }
        for (int column = next; column + missing <= grid_.order && !ended_; ++column) {
            extend(column + 1, choose(column, rows));
            chosen_.pop_back();
        }
    }

    const LeafGrid& grid_;
    int wanted_, rows_, hosts_of_leaf_;
    Visitor& visit_;
    std::vector<int> chosen_;
    int choices_ = 0;
    bool ended_ = false;
};

/// Hosts of a row on the leaves of some columns, no more than `most` of a leaf.
int hosts_of_row(const LeafGrid& grid, std::span<const int> columns, int row, int most) {
    int hosts = 0;
    for (const int column : columns) hosts += std::min(grid.free(column, row), most);
    return hosts;
}

/// The best choice of rows so far of find_submesh(), over all columns.
class BestSubmesh {
public:
    BestSubmesh(const LeafGrid& grid, const SubmeshShape& shape, int hosts, const ValueWeights& weights)
        : grid_(grid), shape_(shape), hosts_(hosts), weights_(weights) {
        std::vector<int> free;
        for (const auto& leaf : grid.free_hosts) {
            if (static_cast<int>(leaf.size()) >= shape.hosts_of_leaf) free.push_back(static_cast<int>(leaf.size()));
        }
        const int leaves = shape.leaves();
        if (static_cast<int>(free.size()) < leaves) return;
        std::sort(free.begin(), free.end());
        // No site is better than the leaves with the fewest free hosts that suffice, side by side.
        const int least = std::accumulate(free.begin(), free.begin() + leaves, 0);
        best_possible_ = submesh_value(shape, {std::max(least, hosts), shape.columns, shape.rows}, hosts, weights);
        int most = 0;
        std::for_each(free.end() - leaves, free.end(), [&](int hosts) { most += std::min(hosts, most_of_leaf()); });
        possible_ = most >= hosts;
    }

    /// False if there are too few leaves with free hosts, wherever they are.
    bool possible() const { return possible_; }

    /// Rows of these that suit the columns: adjacent ones, those with most hosts, and those with fewest free.
    bool operator()(const std::vector<int>& columns, const std::vector<int>& rows) {
        const auto wanted = static_cast<std::size_t>(shape_.rows);
        for (std::size_t first = 0; first + wanted <= rows.size(); ++first) {
            consider(columns, {rows.begin() + static_cast<std::ptrdiff_t>(first),
                               rows.begin() + static_cast<std::ptrdiff_t>(first + wanted)});
        }
        consider(columns, first_by(rows, [&](int row) { return -hosts_of_row(grid_, columns, row, most_of_leaf()); }));
        consider(columns, first_by(rows, [&](int row) { return hosts_of_row(grid_, columns, row, hosts_); }));
        return best_ && value_ >= best_possible_;
    }

    std::optional<Submesh> best() && { return std::move(best_); }

private:
    int most_of_leaf() const { return shape_.hosts_of_leaf + (shape_.one_more ? 1 : 0); }

    template <typename Key>
    std::vector<int> first_by(std::vector<int> rows, Key key) const {
        std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) { return key(a) < key(b); });
        rows.resize(shape_.rows);
        std::sort(rows.begin(), rows.end());
        return rows;
    }

    void consider(const std::vector<int>& columns, const std::vector<int>& rows) {
        int hosts = 0;
        for (const int row : rows) hosts += hosts_of_row(grid_, columns, row, most_of_leaf());
        if (hosts < hosts_) return;
        Submesh submesh{columns, rows};
        const double value = submesh_value(shape_, site_of(grid_, submesh), hosts_, weights_);
        if (best_ && value <= value_) return;
        best_ = std::move(submesh);
        value_ = value;
    }

    const LeafGrid& grid_;
    const SubmeshShape& shape_;
    int hosts_;
    const ValueWeights& weights_;
    double best_possible_ = 1;
    bool possible_ = false;
    std::optional<Submesh> best_;
    double value_ = 0;
};

int span_of(const std::vector<int>& places) {
    return places.back() - places.front() + 1;
}

}  // namespace

SubmeshSite site_of(const LeafGrid& grid, const Submesh& submesh) {
    SubmeshSite site{0, span_of(submesh.columns), span_of(submesh.rows)};
    for (const int column : submesh.columns) {
        for (const int row : submesh.rows) site.free_hosts += grid.free(column, row);
    }
    return site;
}

std::optional<Submesh> find_submesh(const LeafGrid& grid, const SubmeshShape& shape, int hosts,
                                    const ValueWeights& weights) {
    BestSubmesh best(grid, shape, hosts, weights);
    if (!best.possible()) return {};
    ColumnChoices(grid, shape.columns, shape.rows, shape.hosts_of_leaf, best).run();
    return std::move(best).best();
}

std::optional<Submesh> grow_submesh(const LeafGrid& grid, int columns, int hosts) {
    std::optional<Submesh> best;
    const auto length = [](const Submesh& submesh) {
        return std::tuple(submesh.rows.size(), span_of(submesh.rows), span_of(submesh.columns));
    };
    auto grow = [&](const std::vector<int>& chosen, const std::vector<int>& rows) {
        for (std::size_t first = 0; first < rows.size(); ++first) {
            Submesh submesh{chosen, {}};
            int found = 0;
            for (std::size_t next = first; next < rows.size() && found < hosts; ++next) {
                submesh.rows.push_back(rows[next]);
                found += hosts_of_row(grid, chosen, rows[next], hosts);
            }
            if (found >= hosts && (!best || length(submesh) < length(*best))) best = std::move(submesh);
        }
        return false;
    };
    ColumnChoices(grid, columns, 1, 1, grow).run();
    return best;
}

}  // namespace coll_topo
