// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/breadth_first/breadth_first_lane.hpp"

#include "coll_topo/grid/grid_builder.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace coll_topo::breadth_first {

void SpreadLane::halve() {
    gather_sums(meet_neighbours());
}

void SpreadLane::double_up() {
    spread_shards(meet_neighbours());
}

int SpreadLane::meet_neighbours() {
    if (neighbours_.empty()) {
        own_ = spread_.table(host());
        for (const HostLink& link : spread_.links().of(host())) {
            neighbours_.push_back({link.host, spread_.links().number(link.host, host()), spread_.table(link.host)});
        }
    }
    int rounds = own_.rounds();
    for (const Neighbour& neighbour : neighbours_) rounds = std::max(rounds, neighbour.table.rounds());
    return rounds;
}

Blocks SpreadLane::add_scratch_like(std::span<const Blocks> runs) {
    const auto first = static_cast<std::int32_t>(scratch_order_.size());
    for (const Blocks& run : runs) {
        for (std::int32_t block = run.first; block < run.first + run.count; ++block) {
            scratch_order_.push_back(run.buffer == Buffer::scratch ? scratch_order_[block] : block);
        }
    }
    return {Buffer::scratch, first, static_cast<std::int32_t>(scratch_order_.size()) - first};
}

std::span<const BreadthFirst::Arrival> SpreadLane::taken(int round, int port) const {
    if (round >= own_.rounds()) return {};
    return own_.over(round, port);
}

std::span<const BreadthFirst::Arrival> SpreadLane::given(int round, int port) const {
    const Neighbour& neighbour = neighbours_[port];
    if (round >= neighbour.table.rounds()) return {};
    return neighbour.table.over(round, neighbour.port);
}

namespace {

/// In the order of their first ranks, so that pieces of ranks that are numbered host by host are in rank order.
std::vector<std::int32_t> places_by_rank(const Grid& grid) {
    std::vector<std::int32_t> places(grid.places());
    std::iota(places.begin(), places.end(), 0);
    std::ranges::sort(places, {}, [&](int place) { return grid.ranks_of_host(place)[0]; });
    return places;
}

}  // namespace

Program build(const Grid& box, const Problem& problem, int rank, MakeLane make_lane) {
    std::optional<Grid> line;  // where extra hosts have shards of their own
    const Grid& grid = box.extra_hosts() == 0 ? box : line.emplace(GridBuilder::on_one_axis(box));
    const bool vector = problem.collective == Collective::allreduce;
    const BreadthFirst spread(grid, most_cuts(grid, problem));
    const int cuts = spread.cuts();
    const int blocks = (vector ? problem.aggregators * grid.places() : grid.ranks()) * cuts;
    const StageOrder stage_order(grid, 0);
    const Layout layout = vector ? Layout::of_vector(grid, problem, 0, cuts)
                                 : Layout::of_pieces(grid, problem, 0, places_by_rank(grid), cuts);
    ProgramBuilder builder(blocks, 0);
    std::vector<std::int32_t> scratch_order;
    for (const std::int32_t piece : layout.piece_order()) {
        for (int cut = 0; cut < cuts; ++cut) scratch_order.push_back(piece * cuts + cut);
    }
    builder.lane();
    make_lane(builder, grid, problem, rank, stage_order, layout, spread, scratch_order)->write(problem.collective);
    Program program = builder.finish(std::move(scratch_order));
    program.scratch_blocks = static_cast<int>(program.scratch_order.size());
    return program;
}

int most_cuts(const Grid& grid, const Problem& problem) {
    constexpr int most = 16;
    const bool one_piece = grid.most_ranks_per_host() == problem.aggregators;
    return problem.collective == Collective::allreduce || one_piece ? most : 1;
}

}  // namespace coll_topo::breadth_first
