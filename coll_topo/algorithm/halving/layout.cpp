// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/halving/layout.hpp"

namespace coll_topo {

Server server_of(const Grid& grid, int rank, int aggregators) {
    const int number = grid.aggregator_number(rank, aggregators);
    const int part = number >= 0 ? number : grid.local_rank(rank) % aggregators;
    return {grid.place_of(grid.host(rank)), part};
}

Layout Layout::of_vector(const Grid& grid, const Problem& problem, int lane, int cuts) {
    Layout layout;
    layout.places_ = grid.places();
    layout.cuts_ = cuts;
    layout.first_ = lane * grid.places() * cuts;
    layout.part_stride_ = problem.lanes * grid.places() * cuts;
    return layout;
}

Layout Layout::of_share(const Grid& grid, std::int32_t first, int cuts) {
    Layout layout;
    layout.places_ = grid.places();
    layout.cuts_ = cuts;
    layout.first_ = first;
    return layout;
}

Layout Layout::of_pieces(const Grid& grid, const Problem& problem, int lane, std::span<const std::int32_t> places,
                         int cuts) {
    Layout layout;
    layout.buffer_ = Buffer::scratch;
    layout.places_ = grid.places();
    layout.cuts_ = cuts;
    layout.first_ = lane * grid.ranks() * cuts;
    layout.units_of_part_ = problem.aggregators > 1 ? grid.places() : 0;

    layout.unit_begin_.reserve(static_cast<std::size_t>(problem.aggregators) * places.size() + 1);
    layout.piece_order_.reserve(grid.ranks());
    layout.unit_of_place_.resize(places.size());
    for (std::size_t unit = 0; unit < places.size(); ++unit) {
        layout.unit_of_place_[places[unit]] = static_cast<std::int32_t>(unit);
    }
    const auto is_served_by = [&](std::int32_t rank, int part) {
        return problem.aggregators == 1 || server_of(grid, rank, problem.aggregators).part == part;
    };
    for (int part = 0; part < problem.aggregators; ++part) {
        for (const std::int32_t place : places) {
            layout.unit_begin_.push_back(static_cast<std::int32_t>(layout.piece_order_.size()));
            for (const int host : {static_cast<int>(place), grid.extra_host_of(place)}) {
                if (host < 0) continue;
                for (const std::int32_t rank : grid.ranks_of_host(host)) {
                    if (is_served_by(rank, part)) layout.piece_order_.push_back(rank);
                }
            }
        }
    }
    layout.unit_begin_.push_back(static_cast<std::int32_t>(layout.piece_order_.size()));
    return layout;
}

Blocks Layout::range(int part, int position, int units) const {
    if (unit_begin_.empty()) return {buffer_, first_ + part * part_stride_ + position * cuts_, units * cuts_};
    const std::int32_t* begin = unit_begin_.data() + static_cast<std::size_t>(part) * units_of_part_ + position;
    return {buffer_, first_ + begin[0] * cuts_, (begin[units] - begin[0]) * cuts_};
}

Blocks Layout::slice(int part, int place, int first, int count) const {
    const Blocks whole = unit(part, place);
    const std::int32_t cut = whole.count / cuts_;
    return {whole.buffer, whole.first + first * cut, count * cut};
}

}  // namespace coll_topo
