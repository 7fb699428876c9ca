// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/alltoall/combining_stage.hpp"
#include "coll_topo/algorithm/alltoall/served_ranks.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// One lane of one rank's part of an alltoall that combines messages: slice `lane` of every piece.
///
/// A unit is what all ranks of one place have for the ranks that one aggregator of another place serves. A unit for the
/// place at offset o (on every axis, modulo its size) is in slot o, whichever aggregator holds it: every stage moves
/// the same slots at all of them, and there is always one unit in each slot. Blocks of a unit stay together.
class CombiningLane {
public:
    CombiningLane(const Grid& grid, const ServedRanks& served, std::span<const CombiningStage> stages,
                  const Problem& problem, int lane, int rank);

    /// How many blocks of scratch it needs.
    int scratch_blocks() const { return leaving_ + most_leaving_; }

    /// Appends the lane to a program; its blocks of scratch begin at `first_scratch`.
    void write(ProgramBuilder& builder, int first_scratch);

private:
    /// A message of a stage each way.
    struct Exchange {
        int to;
        int from;
        int way;                             // its offset, as the number of a place
        std::vector<std::int32_t> leaving;   // slots
        std::vector<std::int32_t> arriving;  // the same, in the order of the sender
        Blocks into;
    };
    struct Message {
        int peer;
        Blocks blocks;
    };

    // In combining_lane_plan.cpp.
    void plan_gather();
    void plan_stages(std::span<const CombiningStage> stages);
    /// Gives how many blocks leave.
    int plan_exchange(const CombiningStage& stage, int digit, std::vector<std::int32_t> slots,
                      std::vector<std::int32_t>& moved, bool last);
    int blocks_in(const std::vector<std::int32_t>& slots, const std::vector<std::int32_t>& moved) const;
    void sort_slots(std::vector<std::int32_t>& slots, const std::vector<std::int32_t>& moved) const;
    Blocks room_for(const Exchange& exchange, const std::vector<std::int32_t>& moved, bool last);
    void plan_scatter();

    /// Ranks hand the aggregators of their place what these will send.
    void gather();
    void exchange(const std::vector<Exchange>& stage);
    void settle(const Exchange& exchange);
    /// Aggregators hand the ranks they serve what has arrived for them.
    void scatter();
    void send_all(const std::vector<Message>& messages);

    /// The blocks as one run: where they are if they lie together, else copied to where messages leave from.
    Blocks together(const std::vector<Blocks>& runs);
    /// Makes one run of neighbours.
    static void append(std::vector<Blocks>& runs, Blocks next);
    void append_unit(std::vector<Blocks>& runs, int slot) const;
    /// Where the block from one rank to another is before any stage, and after all of them.
    Blocks gathered(int source, int destination) const;
    Blocks arrived(int source, int destination) const;

    bool is_aggregator() const { return part_ >= 0; }
    int lanes() const { return problem_.lanes; }
    int blocks_of_unit(int source, int destination) const {
        return static_cast<int>(served_.at(source).size() * served_.by(destination, part_).size());
    }
    int aggregator(int place, int part) const { return grid_.aggregator_rank(place, part, problem_.aggregators); }
    Blocks of_caller(Buffer buffer, int rank) const { return {buffer, rank * lanes() + lane_, 1}; }
    Blocks scratch(Blocks blocks) const;
    void find_places();
    /// Whence the unit in a slot has come, and whither it goes, when it has moved by some of the digits of its slot.
    int source_of(int moved) const { return behind_[moved]; }
    int destination_of(int slot, int moved) const { return ahead_[slot - moved]; }

    const Grid& grid_;
    const ServedRanks& served_;
    const Problem& problem_;
    const int lane_;
    const int rank_;
    const int here_;                      // the place
    int part_;                            // number as an aggregator of the box, or -1
    std::vector<int> strides_;            // by axis, in place numbers
    std::vector<std::int32_t> ahead_;     // by offset: the place there,
    std::vector<std::int32_t> behind_;    // and at the opposite offset
    std::vector<std::int32_t> gathered_;  // by number at the place: where its blocks are in scratch
    std::vector<std::vector<Exchange>> stages_;
    int from_server_ = 0;  // where all that arrives lies if this rank is no aggregator
    int leaving_ = 0;      // where messages leave from
    int most_leaving_ = 0;

    ProgramBuilder* builder_ = nullptr;  // while the lane is written
    int first_scratch_ = 0;
    int next_leaving_ = 0;
    std::vector<Blocks> units_;        // by slot; none as long as it has not moved
    std::vector<std::int32_t> moved_;  // by slot: how far its unit is from where it began
};

}  // namespace coll_topo
