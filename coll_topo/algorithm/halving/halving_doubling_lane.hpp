// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/halving/layout.hpp"
#include "coll_topo/schedule/block_layout.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace coll_topo::halving_doubling {

/// One lane of one rank's program: how the ranks of a host, extra hosts and pieces get to the box and back, and
/// halving and doubling within it. Derived classes may put another exchange in place of these two.
class LaneWriter {
public:
    LaneWriter(ProgramBuilder& builder, const Grid& grid, const Problem& problem, int rank, int lane,
               const StageOrder& stage_order, const Layout& layout)
        : builder_(builder),
          grid_(grid),
          problem_(problem),
          rank_(rank),
          lane_(lane),
          stage_order_(stage_order),
          layout_(layout),
          host_(grid.host(rank)),
          part_(grid.aggregator_number(rank, problem.aggregators)) {}
    virtual ~LaneWriter() = default;

    /// The whole lane: allreduce, reduce, bcast, allgather or reduce_scatter.
    void write(Collective collective);

protected:
    /// The exchange between the aggregators of the box, from parts to units and back.
    virtual void halve();
    virtual void double_up();

    /// From contributions to finished units at the aggregators of the box.
    virtual void reduce_scatter();
    /// From there to all units at every rank.
    virtual void allgather();

    /// From the root to finished units there: in each stage from the hosts that have the root's number in it and in all
    /// later ones. And from there to the root: back through the stages, of which each leaves the hosts that have the
    /// root's number in it. Not where hosts of a leaf take different stages (Grid::skewed()).
    void scatter_from_root();
    virtual void gather_at_root();
    /// The stages of that, among ranks of the same number on hosts of the box.
    void gather_along_stages();
    /// Between the root and aggregators of its host, or of its proxy: [begin, end).
    void exchange_with_root(int begin, int end);
    /// Of the root's host, or of its proxy.
    int root_place() const;

    /// Every aggregator hands the finished pieces to the ranks it serves.
    virtual void scatter_pieces();
    /// Every rank hands its piece to the aggregator that serves it.
    virtual void gather_pieces();

    /// An extra host gives its parts to its proxy and gets all of them back. Through switches, where it has only one
    /// port, it gives each host on its proxy's line of the first axis just what that one holds after halving this axis,
    /// while they halve.
    void fold();
    void unfold();

    ProgramBuilder& builder() { return builder_; }
    int part() const { return part_; }
    bool in_box() const { return is_aggregator() && host_ < grid_.places(); }
    /// What the host holds of its part, or of all, after halving.
    Blocks own_unit() const { return layout_.range(part_, stage_order_.position(host_), 1); }
    const Grid& grid() const { return grid_; }
    int host() const { return host_; }
    /// The aggregator of the same part on another host.
    int peer(int host) const { return grid_.aggregator_rank(host, part_, problem_.aggregators); }
    /// The lane's share of a rank's piece.
    Blocks piece_of(Buffer buffer, int rank) const {
        return {buffer, (rank * problem_.lanes + lane_) * layout_.cuts(), layout_.cuts()};
    }
    int rank() const { return rank_; }
    int root() const { return problem_.root; }
    /// Cuts of the unit of a place.
    Blocks slice(int place, int first, int count) const { return layout_.slice(part_, place, first, count); }

private:
    class Places;

    /// Rearranges this rank's contribution from `input` into the order of the lane.
    void arrange_input();

    /// Rearranges all pieces from the order of the lane into `output`.
    void arrange_output();

    bool is_aggregator() const { return part_ >= 0; }
    /// The piece of that number in the lane's order.
    Blocks scratch_piece(std::ptrdiff_t index) const {
        return {Buffer::scratch, layout_.first() + static_cast<std::int32_t>(index) * layout_.cuts(), layout_.cuts()};
    }
    /// The numbers of the pieces of a unit in the lane's order: the first, and the one behind the last.
    std::int32_t begin_of(Blocks unit) const { return (unit.first - layout_.first()) / layout_.cuts(); }
    std::int32_t end_of(Blocks unit) const { return begin_of(unit) + unit.count / layout_.cuts(); }

    /// Part a of every rank of the host goes to aggregator a; neighbours are folded in first, for order.
    void host_reduce_scatter();
    void host_allgather();
    /// Whether a rank is the root of a bcast.
    bool had_all(int rank) const { return problem_.collective == Collective::bcast && rank == problem_.root; }

    void fold_onto_line();
    void unfold_from_line();
    void receive_from_extras_of_line();
    void send_to_extras_of_line();
    std::vector<int> extras_of_line() const;
    Blocks first_share(int place) const {
        return layout_.range(part_, stage_order_.first_share(place), stage_order_.first_share_width());
    }

    int member_rank(const Stage& stage, int member) const {
        return peer(stage_order_.place_of_member(host_, stage, member));
    }

    /// The group's range starts at position `first`; member j is to hold `width` positions from first + j * width.
    Blocks share(int first, int width, int member) const { return layout_.range(part_, first + member * width, width); }

    void halve_directly(const Stage& stage, int first, int width);
    /// `has_all`: the member that needs nothing from the others, or nobody.
    static constexpr int nobody = -1;
    void double_directly(const Stage& stage, int first, int width, int has_all);

    /// Share j starts at member j + 1 and gathers one operand per hop until it is whole at member j.
    void halve_round_ring(const Stage& stage, int first, int width);
    void double_round_ring(const Stage& stage, int first, int width, int has_all);

    ProgramBuilder& builder_;
    const Grid& grid_;
    const Problem& problem_;
    const int rank_;
    const int lane_;
    const StageOrder& stage_order_;
    const Layout& layout_;
    const int host_;
    const int part_;  // number as an aggregator, or -1
};

/// The order of stages of each lane.
using StageOrderOf = StageOrder (*)(const Grid&, int lane);

/// The program of one rank, of which each lane is written by a writer of its own for a layout of its own.
using LayoutOf = Layout (*)(const Grid&, const Problem&, int lane, const StageOrder&);
template <typename Writer>
Program write_lanes_by(const Grid& grid, const Problem& problem, int rank, StageOrderOf stage_order_of,
                       LayoutOf layout_of, int sends_at_once = 0) {
    const bool vector = vector_form(problem.collective) == VectorForm::whole;
    const int blocks = vector ? Layout::vector_blocks(grid, problem) : grid.ranks() * problem.lanes;
    ProgramBuilder builder(blocks, vector ? 0 : blocks);
    std::vector<std::int32_t> scratch_order;
    for (int lane = 0; lane < problem.lanes; ++lane) {
        const StageOrder stage_order = stage_order_of(grid, lane);
        const Layout layout = layout_of(grid, problem, lane, stage_order);
        for (const std::int32_t piece : layout.piece_order()) scratch_order.push_back(piece * problem.lanes + lane);
        builder.lane(1, sends_at_once);
        Writer(builder, grid, problem, rank, lane, stage_order, layout).write(problem.collective);
    }
    return builder.finish(std::move(scratch_order));
}

/// The same by LaneWriter, with a part for each aggregator.
Program write_lanes(const Grid& grid, const Problem& problem, int rank, StageOrderOf stage_order,
                    int sends_at_once = 0);

/// Whether the only lane works on pieces in rank order, so that it can receive them where they are to be delivered, or
/// read them where they are.
bool pieces_in_rank_order(const Grid& grid, const Problem& problem, StageOrderOf stage_order);

/// Predicted seconds of reduce-scatter or allgather between hosts.
struct HalfSeconds {
    double all = 0;
    double lag = 0;   ///< of these, from the end of the first lane to that of the last
    double idle = 0;  ///< of these, for which the links wait for ranks that combine; 0 where that is not known
};

/// Seconds in which extra hosts give their data to hosts of the box, or get them back, beyond the time for which these
/// are busy anyway: of every host `bytes`.
double fold_seconds(const Grid& grid, const Problem& problem, double bytes, bool combines);

/// Of bucket, for `bytes` of every host, of which each aggregator has a part.
HalfSeconds half_of_bucket(const Grid& grid, const Problem& problem, double bytes, bool combines);

/// Predicted seconds of the halves that a collective has among all hosts, of what the ranks of a host exchange, of what
/// a root scatters or gathers, and of copies of pieces, which one lane makes while others lag behind. `half`: for so
/// many bytes, and whether it combines.
double seconds_of_halves(const Grid& grid, const Problem& problem, double bytes, StageOrderOf stage_order,
                         HalfSeconds (*half)(const Grid& grid, const Problem& problem, double bytes, bool combines));

/// Predicted seconds of what is between the root and all hosts; 0 of a collective without a root.
double seconds_of_root(const Grid& grid, const Problem& problem, double bytes, StageOrderOf stage_order);

}  // namespace coll_topo::halving_doubling
