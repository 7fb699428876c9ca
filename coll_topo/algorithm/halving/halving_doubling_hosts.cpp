// SPDX-License-Identifier: BSD-3-Clause
//
// How a lane gets the vector from the ranks of a host, and from extra hosts, into the box, and back.
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"

namespace coll_topo::halving_doubling {

void LaneWriter::host_reduce_scatter() {
    const auto local_ranks = grid_.ranks_of_host(host_);
    const int own = grid_.local_rank(rank_);
    for (int number = 0; number < problem_.aggregators; ++number) {
        const int aggregator = grid_.aggregator_rank(host_, number, problem_.aggregators);
        if (aggregator != rank_) builder_.send(aggregator, layout_.part(number));
    }
    if (is_aggregator()) {
        const Blocks part = layout_.part(part_);
        for (int i = own - 1; i >= 0; --i) builder_.receive_reduce(local_ranks[i], part, Operand::left);
        for (int i = own + 1; i < static_cast<int>(local_ranks.size()); ++i) {
            builder_.receive_reduce(local_ranks[i], part, Operand::right);
        }
    }
    builder_.next_step();
}

void LaneWriter::host_allgather() {
    const auto local_ranks = grid_.ranks_of_host(host_);
    for (int number = 0; number < problem_.aggregators; ++number) {
        const int aggregator = grid_.aggregator_rank(host_, number, problem_.aggregators);
        if (aggregator != rank_ && !had_all(rank_)) builder_.receive(aggregator, layout_.part(number));
    }
    if (is_aggregator()) {
        for (const std::int32_t other : local_ranks) {
            if (other != rank_ && !had_all(other)) builder_.send(other, layout_.part(part_));
        }
    }
    builder_.next_step();
}

void LaneWriter::fold() {
    if (!is_aggregator()) return;
    if (grid_.switched()) return fold_onto_line();
    if (host_ >= grid_.places())
        builder_.send(peer(grid_.proxy(host_)), layout_.part(part_));
    else if (const int extra = grid_.extra_host_of(host_); extra >= 0) {
        builder_.receive_reduce(peer(extra), layout_.part(part_), Operand::right);
    }
    builder_.next_step();
}

void LaneWriter::unfold() {
    if (!is_aggregator()) return;
    if (grid_.switched()) return unfold_from_line();
    if (host_ >= grid_.places()) {
        if (!had_all(rank_)) builder_.receive(peer(grid_.proxy(host_)), layout_.part(part_));
    } else if (const int extra = grid_.extra_host_of(host_); extra >= 0 && !had_all(peer(extra))) {
        builder_.send(peer(extra), layout_.part(part_));
    }
    builder_.next_step();
}

void LaneWriter::fold_onto_line() {
    if (host_ < grid_.places()) return;  // receives in its first stage
    for (const std::int32_t place : stage_order_.first_line(grid_.proxy(host_))) {
        builder_.send(peer(place), first_share(place));
    }
    builder_.next_step();
}

void LaneWriter::unfold_from_line() {
    if (host_ < grid_.places() || had_all(rank_)) return;  // hosts of the box send in their last stage
    for (const std::int32_t place : stage_order_.first_line(grid_.proxy(host_))) {
        builder_.receive(peer(place), first_share(place));
    }
    builder_.next_step();
}

std::vector<int> LaneWriter::extras_of_line() const {
    std::vector<int> extras;
    if (!grid_.switched() || grid_.extra_hosts() == 0) return extras;
    for (const std::int32_t place : stage_order_.first_line(host_)) {
        if (const int extra = grid_.extra_host_of(place); extra >= 0) extras.push_back(extra);
    }
    return extras;
}

void LaneWriter::receive_from_extras_of_line() {
    for (const int extra : extras_of_line()) {
        builder_.receive_reduce(peer(extra), first_share(host_), Operand::right);
    }
}

void LaneWriter::send_to_extras_of_line() {
    for (const int extra : extras_of_line()) {
        if (!had_all(peer(extra))) builder_.send(peer(extra), first_share(host_));
    }
}

}  // namespace coll_topo::halving_doubling
