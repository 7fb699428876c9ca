// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/alltoall/direct_exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace coll_topo {
namespace {

using Data = DirectExchange::Data;

/// The order needs fewer messages in flight, but ranks are not in step: when one is late, others must be able to go on.
/// On a virtual 4x4 torus 15 in flight took 0.92 to 0.96 of the time of 4, on a tree with half the uplinks 16 took 0.9.
/// Where uplinks carry what all hosts send, only ports limit, and what queues at those delays others: 16 took 1.03
/// to 1.3 of the time of LeafOrder::window.
constexpr int least_window = 16;

/// While a rank combines the first operands of a step, the next ones travel; between steps it waits. But it needs
/// memory for all operands of a step.
constexpr int most_partners_of_step = 64;

/// The hosts that one sends to and receives from, -1 if there is none.
struct Partners {
    int to;
    int from;
};

class ExchangeWriter {
public:
    /// Pieces stand in the order of ranks in `buffer`, from which they are sent. Those of alltoall come into `output`.
    ExchangeWriter(ProgramBuilder& builder, const Grid& grid, int rank, Data data, Buffer buffer)
        : builder_(builder), grid_(grid), rank_(rank), host_(grid.host(rank)), data_(data), buffer_(buffer) {
        group_ = {{host_, host_}};
        for (int rotation = 1; rotation < grid.most_ranks_per_host(); ++rotation) exchange(rotation);
        group_.clear();
    }

    void add(Partners partners) { group_.push_back(partners); }

    /// The partners added since the last call are in flight together.
    void end_group() {
        for (int rotation = 0; rotation < grid_.most_ranks_per_host(); ++rotation) exchange(rotation);
        group_.clear();
    }

private:
    void exchange(int rotation) {
        const int modulus = grid_.most_ranks_per_host(), own = grid_.local_rank(rank_);
        for (const Partners& partners : group_) {
            const int from = rank_at(partners.from, (own + modulus - rotation) % modulus);
            const int to = rank_at(partners.to, (own + rotation) % modulus);
            if (from >= 0) receive(from);
            if (to >= 0) builder_.send(to, {buffer_, data_ == Data::result ? rank_ : to, 1});
            if (data_ == Data::pieces || (data_ == Data::operands && ++added_ % most_partners_of_step == 0))
                builder_.next_step();
        }
    }

    void receive(int from) {
        if (data_ == Data::operands)
            builder_.receive_reduce(from, {buffer_, rank_, 1}, from < rank_ ? Operand::left : Operand::right);
        else
            builder_.receive(from, {data_ == Data::pieces ? Buffer::output : buffer_, from, 1});
    }

    int rank_at(int host, int number) const {
        if (host < 0) return -1;
        const auto local_ranks = grid_.ranks_of_host(host);
        return number < static_cast<int>(local_ranks.size()) ? local_ranks[number] : -1;
    }

    ProgramBuilder& builder_;
    const Grid& grid_;
    const int rank_;
    const int host_;
    const Data data_;
    const Buffer buffer_;
    std::vector<Partners> group_;
    int added_ = 0;  // partners
};

void exchange_on_torus(ExchangeWriter& writer, const Grid& grid, const HostCells& cells, const OffsetOrder& order,
                       int rank) {
    const std::int64_t own = cells.cell(grid.host(rank));
    for (int group = 0; group < order.groups(); ++group) {
        for (const std::int32_t offset : order.group(group)) {
            writer.add({cells.host_at(cells.ahead(own, offset)), cells.host_at(cells.behind(own, offset))});
        }
        writer.end_group();
    }
}

template <typename Order>
void exchange_on_switches(ExchangeWriter& writer, const Grid& grid, const Order& order, int rank) {
    const int own = grid.host(rank);
    for (int step = 0; step < order.steps(); ++step) {
        // A host may be its own partner in a step; ranks of one host have exchanged already.
        const auto other = [&](int host) { return host == own ? -1 : host; };
        writer.add({other(order.to(own, step)), other(order.from(own, step))});
        writer.end_group();
    }
}

/// How many messages of a host are to be in flight on a tree.
int window_below(const LeafArrangement& leaves, const MachineCosts& costs) {
    const bool tapered = leaves.uplink_bandwidth < leaves.hosts.largest() * leaves.way(Reach::leaf).bandwidth;
    // Between groups, messages of a step meet on cables further up, and below leaves of different sizes not all hosts
    // have one in each step; others must be able to go on meanwhile.
    if (leaves.leaves.parts() > 1 || leaves.hosts.smallest() < leaves.hosts.largest()) return largest_window;
    if (tapered) return least_window;
    // Where hosts share processors, latency is mostly the time until a rank is woken, and wires wait for nothing else.
    if (costs.shared_message_time > 0) return LeafOrder::window;
    // As many as a rank can start while the first one is on its way.
    const double started = leaves.way(Reach::fabric).latency / std::max(costs.message_time, 1e-9);
    return static_cast<int>(std::clamp<double>(started, LeafOrder::window, least_window));
}

}  // namespace

DirectExchange::DirectExchange(const Grid& grid, int rank) : grid_(grid), rank_(rank) {
    if (grid.cells() != nullptr)
        offsets_.emplace(grid.cells()->part());
    else if (grid.leaves().lines.empty())
        leaves_.emplace(grid);
    else
        spines_.emplace(grid);
}

int DirectExchange::window() const {
    if (offsets_) return std::clamp(offsets_->window(), least_window, largest_window);
    return leaves_ ? window_below(grid_.leaves(), grid_.costs()) : least_window;
}

int DirectExchange::operands_at_once() const {
    if (offsets_) return std::clamp(offsets_->window(), LeafOrder::window, least_window);
    return grid_.leaves().leaves.parts() > 1 ? window() : LeafOrder::window;
}

void DirectExchange::write(ProgramBuilder& builder, Data data, Buffer buffer) const {
    ExchangeWriter writer(builder, grid_, rank_, data, buffer);
    if (offsets_) exchange_on_torus(writer, grid_, *grid_.cells(), *offsets_, rank_);
    if (leaves_) exchange_on_switches(writer, grid_, *leaves_, rank_);
    if (spines_) exchange_on_switches(writer, grid_, *spines_, rank_);
    builder.next_step();
}

}  // namespace coll_topo
