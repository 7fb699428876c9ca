// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/box.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace coll_topo {
namespace {

// A box sparser than this at the start will hardly keep half of its cells.
constexpr double sparsest_volume_per_cell = 64;

/// All cells that share one coordinate in one dimension.
struct Slice {
    int coordinate;
    std::vector<std::int32_t> cells;
    std::int64_t occupied;
    bool removed = false;
};

class Search {
public:
    Search(const Torus& torus, const std::vector<std::int64_t>& cells)
        : torus_(torus), cells_(cells), kept_(cells.size(), true), left_(static_cast<std::int64_t>(cells.size())) {
        slices_.resize(torus.dimensions().size());
        for (std::size_t d = 0; d < slices_.size(); ++d) make_slices(static_cast<int>(d));
    }

    Box run() {
        if (volume() > sparsest_volume_per_cell * static_cast<double>(cells_.size())) left_ = 0;
        const auto enough = static_cast<std::int64_t>(cells_.size()) / 2 + 1;
        if (left_ >= enough && volume() > static_cast<double>(left_)) sort_by_occupied();
        while (left_ >= enough && volume() > static_cast<double>(left_)) remove_emptiest_slice();
        Box box;
        if (left_ < enough) {
            box.other_cells.resize(cells_.size());
            std::iota(box.other_cells.begin(), box.other_cells.end(), 0);
            return box;
        }
        fill(box);
        return box;
    }

private:
    void make_slices(int d) {
        std::vector<std::int32_t> slice_of(torus_.dimensions()[d].size, -1);  // by coordinate
        for (const std::int64_t cell : cells_) slice_of[torus_.coordinate(cell, d)] = 0;
        for (int coordinate = 0; coordinate < torus_.dimensions()[d].size; ++coordinate) {
            if (slice_of[coordinate] < 0) continue;
            slice_of[coordinate] = static_cast<std::int32_t>(slices_[d].size());
            slices_[d].push_back({coordinate, {}, 0});
        }
        for (std::size_t index = 0; index < cells_.size(); ++index) {
            Slice& slice = slices_[d][slice_of[torus_.coordinate(cells_[index], d)]];
            slice.cells.push_back(static_cast<std::int32_t>(index));
            ++slice.occupied;
        }
    }

    double volume() const {
        double product = 1;
        for (std::size_t d = 0; d < slices_.size(); ++d) product *= static_cast<double>(size(d));
        return product;
    }

    /// Slices of a dimension that are left.
    std::size_t size(std::size_t d) const { return by_occupied_.empty() ? slices_[d].size() : by_occupied_[d].size(); }

    void sort_by_occupied() {
        by_occupied_.resize(slices_.size());
        for (std::size_t d = 0; d < slices_.size(); ++d) {
            for (std::size_t s = 0; s < slices_[d].size(); ++s) by_occupied_[d].emplace(slices_[d][s].occupied, s);
        }
    }

    void remove_emptiest_slice() {
        std::size_t worst_dimension = 0;
        double worst_fill = 2;
        for (std::size_t d = 0; d < slices_.size(); ++d) {
            const double capacity = volume() / static_cast<double>(size(d));
            const double fill = static_cast<double>(by_occupied_[d].begin()->first) / capacity;
            if (fill < worst_fill) worst_fill = fill, worst_dimension = d;
        }
        const auto worst = by_occupied_[worst_dimension].begin();
        Slice& slice = slices_[worst_dimension][worst->second];
        slice.removed = true;
        by_occupied_[worst_dimension].erase(worst);
        for (const std::int32_t index : slice.cells) drop(index);
    }

    void drop(std::int32_t index) {
        if (!kept_[index]) return;
        kept_[index] = false;
        --left_;
        for (std::size_t d = 0; d < slices_.size(); ++d) {
            const int coordinate = torus_.coordinate(cells_[index], static_cast<int>(d));
            const auto slice = std::lower_bound(slices_[d].begin(), slices_[d].end(), coordinate,
                                                [](const Slice& s, int value) { return s.coordinate < value; });
            if (slice->removed) continue;
            const auto number = static_cast<std::size_t>(slice - slices_[d].begin());
            auto entry = by_occupied_[d].extract({slice->occupied, number});
            --entry.value().first;
            --slice->occupied;
            by_occupied_[d].insert(std::move(entry));
        }
    }

    void fill(Box& box) const {
        for (const auto& dimension : slices_) {
            auto& chosen = box.coordinates.emplace_back();
            for (const Slice& slice : dimension) {
                if (!slice.removed) chosen.push_back(slice.coordinate);
            }
        }
        for (std::size_t index = 0; index < cells_.size(); ++index) {
            (kept_[index] ? box.members : box.other_cells).push_back(static_cast<std::int32_t>(index));
        }
        // Cell numbers have the first dimension fastest too.
        const auto by_cell = [&](std::int32_t a, std::int32_t b) { return cells_[a] < cells_[b]; };
        if (!std::is_sorted(box.members.begin(), box.members.end(), by_cell)) {
            std::sort(box.members.begin(), box.members.end(), by_cell);
        }
    }

    const Torus& torus_;
    const std::vector<std::int64_t>& cells_;
    std::vector<std::vector<Slice>> slices_;
    std::vector<std::set<std::pair<std::int64_t, std::size_t>>>
        by_occupied_;  // by dimension: of those not removed; empty: all fit
    std::vector<bool> kept_;
    std::int64_t left_;
};

}  // namespace

Box find_box(const Torus& torus, const std::vector<std::int64_t>& cells) {
    return Search(torus, cells).run();
}

}  // namespace coll_topo
