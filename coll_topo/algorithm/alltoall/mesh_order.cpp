// SPDX-License-Identifier: BSD-3-Clause
//
// A2AT: alltoall on a mesh of two dimensions, columns >= rows (else the axes are swapped).
//
// An offset (i, j) means i columns and j rows on, modulo the sizes. Those that leave the mesh come back from the other
// side, so that min(i, columns - i) messages meet on the middle link of a row, each way. Rows are the bottleneck: their
// middle links take floor(c/2) * ceil(c/2) * r message times at least. This order takes no more:
//
//     square part        [(i, 0) (0, i)]  [(i, j) (-j, -i)]  …         as many on rows as on columns
//     half the height    [(H, i) (-i, H)]  …                           if the number of rows is even
//     beyond             [(i, j) (-i, -j)] …                           i > half the height: rows carry more
//
// Source: as a2at.cpp; its upper bound for i in the part beyond the square is floor((columns - 1) / 2).

#include "coll_topo/algorithm/alltoall/mesh_order.hpp"

#include <utility>

namespace coll_topo {
namespace {

class MeshOrder {
public:
    MeshOrder(int columns, int rows)
        : columns_(columns), rows_(rows), square_((rows - 1) / 2), middle_((columns - 1) / 2) {}

    std::vector<std::vector<MeshOffset>> run() {
        inner_square();
        if (rows_ % 2 == 0) half_height();
        if (rows_ % 2 != 0 || columns_ > rows_) beyond(rows_ / 2 + 1);
        if (rows_ % 2 == 0 && columns_ > rows_) other_half();
        return std::move(groups_);
    }

private:
    void pair(MeshOffset a, MeshOffset b) { groups_.push_back({a, b}); }
    void alone(MeshOffset a) { groups_.push_back({a}); }

    void inner_square() {
        for (int i = 1; i <= square_; ++i) {
            pair({i, 0}, {0, i});
            pair({-i, 0}, {0, -i});
        }
        for (int i = 1; i <= square_; ++i) {
            for (int j = 1; j <= square_; ++j) {
                pair({i, j}, {-j, -i});
                pair({i, -j}, {-j, i});
            }
        }
    }

    /// Offsets of half the height, with their counterparts along the columns.
    void half_height() {
        const int half = rows_ / 2;
        for (int i = 1; i < half; ++i) {
            pair({half, i}, {-i, half});
            pair({half, -i}, {i, half});
        }
        pair({half, 0}, {0, half});
        if (columns_ == rows_) {
            alone({half, half});
        } else {
            pair({half, half}, {-half, half});
        }
    }

    /// Columns farther than the square reaches, up to the middle one.
    void beyond(int first) {
        const bool even = rows_ % 2 == 0;
        for (int i = first; i <= middle_; ++i) {
            for (int j = 1; j <= square_; ++j) {
                pair({i, j}, {-i, -j});
                pair({i, -j}, {-i, j});
            }
            pair({i, 0}, {-i, 0});
            if (even) pair({i, rows_ / 2}, {-i, rows_ / 2});
        }
        if (columns_ % 2 != 0) return;
        const int half = columns_ / 2;
        for (int j = 1; j <= square_; ++j) pair({half, j}, {half, -j});
        alone({half, 0});
        if (even) alone({half, rows_ / 2});
    }

    void other_half() {
        const int half = rows_ / 2;
        for (int j = 1; j < half; ++j) pair({-half, j}, {-half, -j});
        alone({-half, 0});
    }

    const int columns_;
    const int rows_;
    const int square_;  // how far the largest odd square reaches from its middle
    const int middle_;  // how far columns go both ways
    std::vector<std::vector<MeshOffset>> groups_;
};

}  // namespace

std::vector<std::vector<MeshOffset>> mesh_order(int columns, int rows) {
    if (columns >= rows) return MeshOrder(columns, rows).run();
    auto groups = MeshOrder(rows, columns).run();
    for (auto& group : groups) {
        for (MeshOffset& offset : group) std::swap(offset.x, offset.y);
    }
    return groups;
}

}  // namespace coll_topo
