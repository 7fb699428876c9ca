// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/free_box.hpp"

#include "coll_topo/base/text.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace coll_topo {
namespace {

constexpr int most_passed_over = 5;

std::int64_t volume(const std::vector<int>& sizes) {
    std::int64_t product = 1;
    for (const int size : sizes) product *= size;
    return product;
}

/// The cells of a torus, and which of them have a free host.
class FreeCells {
public:
    FreeCells(const Fabric& fabric, const std::vector<std::int32_t>& free_hosts)
        : torus_(*fabric.torus()), host_of_cell_(torus_.cells(), -1) {
        for (const std::int32_t host : free_hosts) host_of_cell_[fabric.cell(host)] = host;
    }

    std::int32_t host(std::int64_t cell) const { return host_of_cell_[cell]; }

    /// By cell: the free cells from `before` cells before it to `after[d]` cells after it in every dimension, each cell
    /// counted once; those beyond the edge of a mesh do not exist.
    std::vector<std::int32_t> count(int before, const std::vector<int>& after) const {
        std::vector<std::int32_t> counts(host_of_cell_.size());
        for (std::size_t cell = 0; cell < counts.size(); ++cell) counts[cell] = host_of_cell_[cell] >= 0 ? 1 : 0;
        std::int64_t stride = 1;
        for (std::size_t d = 0; d < after.size(); ++d) {
            const TorusDimension& dimension = torus_.dimensions()[d];
            sum_along(counts, stride, dimension, before, after[d]);
            stride *= dimension.size;
        }
        return counts;
    }

    /// The cell of a box at `first`, by its number within the box, first dimension fastest.
    std::int64_t cell_of_box(std::int64_t first, const std::vector<int>& sizes, std::int64_t number) const {
        std::vector<int> at;
        for (std::size_t d = 0; d < sizes.size(); ++d) {
            const auto dimension = static_cast<int>(d);
            const int offset = static_cast<int>(number % sizes[d]);
            number /= sizes[d];
            at.push_back((torus_.coordinate(first, dimension) + offset) % torus_.dimensions()[d].size);
        }
        return torus_.cell(at);
    }

private:
    /// Replaces the numbers along every line of cells in one dimension by sums over their neighbourhoods.
    static void sum_along(std::vector<std::int32_t>& counts, std::int64_t stride, const TorusDimension& dimension,
                          int before, int after) {
        const int size = dimension.size;
        std::vector<std::int32_t> sum(size + 1);         // of the first cells of the line
        const auto between = [&](int first, int last) {  // inclusive, anywhere on the line or round the ring
            if (!dimension.wrapped) return sum[std::min(last, size - 1) + 1] - sum[std::max(first, 0)];
            if (last - first + 1 >= size) return sum[size];
            const int begin = (first + size) % size, end = last % size;
            return begin <= end ? sum[end + 1] - sum[begin] : sum[size] - sum[begin] + sum[end + 1];
        };
        const auto cells = static_cast<std::int64_t>(counts.size());
        for (std::int64_t line = 0; line < cells; ++line) {
            if (line / stride % size != 0) continue;  // not the first cell of a line
            for (int i = 0; i < size; ++i) sum[i + 1] = sum[i] + counts[line + i * stride];
            for (int i = 0; i < size; ++i) counts[line + i * stride] = between(i - before, i + after);
        }
    }

    const Torus& torus_;
    std::vector<std::int32_t> host_of_cell_;
};

/// Links between the two cells of a box that are farthest from each other.
int diameter(const Torus& torus, const std::vector<int>& sizes) {
    int links = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        const TorusDimension& dimension = torus.dimensions()[d];
        links += dimension.wrapped && sizes[d] == dimension.size ? sizes[d] / 2 : sizes[d] - 1;
    }
    return links;
}

/// Whether a box holds so many hosts, and with one layer less in any dimension would not.
bool is_smallest(const std::vector<int>& sizes, std::int64_t hosts) {
    const std::int64_t cells = volume(sizes);
    return cells >= hosts &&
           std::all_of(sizes.begin(), sizes.end(), [&](int size) { return cells - cells / size < hosts; });
}

/// The sizes of all smallest boxes for so many hosts, the best first; of equal ones those along the first dimensions,
/// whose hosts stand together in the file.
std::vector<std::vector<int>> box_sizes(const Torus& torus, std::int64_t hosts) {
    std::vector<std::vector<int>> all = {{}};
    for (const TorusDimension& dimension : torus.dimensions()) {
        std::vector<std::vector<int>> longer;
        for (const auto& sizes : all) {
            for (int size = dimension.size; size > 0; --size) {
                longer.push_back(sizes);
                longer.back().push_back(size);
            }
        }
        all = std::move(longer);
    }
    std::erase_if(all, [&](const auto& sizes) { return !is_smallest(sizes, hosts); });
    const auto rank = [&](const auto& sizes) {
        return std::tuple(surface(torus, sizes), volume(sizes), diameter(torus, sizes));
    };
    std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return all;
}

/// The best place for a box all of whose cells are free, or -1.
std::int64_t find_place(const FreeCells& cells, const std::vector<int>& sizes) {
    std::vector<int> last;
    for (const int size : sizes) last.push_back(size - 1);
    const auto inside = cells.count(0, last);
    std::int64_t best = -1;
    std::vector<std::int32_t> around;  // made when there is a place at all
    for (std::size_t cell = 0; cell < inside.size(); ++cell) {
        if (inside[cell] != volume(sizes)) continue;
        if (around.empty()) around = cells.count(1, sizes);
        if (best < 0 || around[cell] < around[best]) best = static_cast<std::int64_t>(cell);
    }
    return best;
}

/// "4 x 4 x 2".
std::string sizes_text(const std::vector<int>& sizes) {
    std::string text;
    for (const int size : sizes) text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text;
}

std::string surface_text(const Torus& torus, const std::vector<int>& sizes) {
    return "surface of " + counted(surface(torus, sizes), "link", "links");
}

/// Why the chosen box stands where it does: the first cell, and what is not used of it.
std::string place_text(const Torus& torus, std::int64_t first, const std::vector<int>& sizes, int hosts) {
    std::string text = ", from cell (";
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        text += (d > 0 ? "," : "") + std::to_string(torus.coordinate(first, static_cast<int>(d)));
    }
    text += ")";
    const std::int64_t spare = volume(sizes) - hosts;
    if (spare > 0) text += "; " + counted(spare, "cell", "cells") + " of it stay free";
    return text;
}

}  // namespace

std::int64_t surface(const Torus& torus, const std::vector<int>& sizes) {
    std::int64_t links = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        if (sizes[d] < torus.dimensions()[d].size) links += 2 * volume(sizes) / sizes[d];
    }
    return links;
}

Expected<JobPlacement> place_free_box(const Fabric& fabric, const Job& job) {
    const Torus& torus = *fabric.torus();
    const FreeCells cells(fabric, job.free_hosts);
    JobPlacement placement;
    const auto candidates = box_sizes(torus, job.hosts);
    for (const auto& sizes : candidates) {
        const bool fits = volume(sizes) <= static_cast<std::int64_t>(job.free_hosts.size());
        const std::int64_t first = fits ? find_place(cells, sizes) : -1;
        if (first < 0) {
            if (static_cast<int>(placement.passed_over.size()) < most_passed_over) {
                placement.passed_over.push_back(
                    {sizes_text(sizes), {}, surface_text(torus, sizes) + ", but nowhere free"});
            }
            continue;
        }
        placement.shape = "a box of " + sizes_text(sizes);
        const std::int64_t best = surface(torus, candidates.front());
        placement.value = surface(torus, sizes) == best
                              ? 1.0
                              : static_cast<double>(best) / static_cast<double>(surface(torus, sizes));
        placement.reason = "of the free boxes that hold the job it has the smallest " + surface_text(torus, sizes) +
                           place_text(torus, first, sizes, job.hosts) +
                           "; the value is the smallest surface of any such box of the machine over this one";
        for (int i = 0; i < job.hosts; ++i) placement.hosts.push_back(cells.host(cells.cell_of_box(first, sizes, i)));
        return placement;
    }
    return failure("no free box of adjacent cells is large enough");
}

}  // namespace coll_topo
