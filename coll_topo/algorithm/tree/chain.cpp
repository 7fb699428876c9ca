// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/chain.hpp"

#include "coll_topo/algorithm/cost/rank_order_cost.hpp"

namespace coll_topo {

void write_chain(ProgramBuilder& builder, const Problem& problem, int rank, int before, int after, int first) {
    const bool reduces = problem.collective == Collective::reduce;
    const int source = reduces ? after : before, target = reduces ? before : after;
    builder.lane();
    // A rank that receives sends a block one step later.
    const int delay = source < 0 ? 0 : 1;
    for (int step = 0; step < problem.segments + delay; ++step) {
        const Blocks arriving{Buffer::output, first + step, 1}, leaving{Buffer::output, first + step - delay, 1};
        if (source >= 0 && step < problem.segments) {
            if (reduces)
                builder.receive_reduce(source, arriving, source < rank ? Operand::left : Operand::right);
            else
                builder.receive(source, arriving);
        }
        if (target >= 0 && step >= delay) builder.send(target, leaving);
        builder.next_step();
    }
}

double chain_seconds(const Grid& grid, const Problem& problem, std::span<const std::int32_t> after, double bytes) {
    // Of nothing that is sent there would be no bandwidth.
    constexpr double least_seconds = 1e-15, least_bytes = 1e-3;
    const bool reduces = problem.collective == Collective::reduce;
    const double block = bytes / problem.segments;
    RankOrderCost cost(grid);
    int within_hosts = 0, between_hosts = 0;
    double latencies = 0, longest = 0;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const int next = after[rank];
        if (next < 0) continue;
        if (grid.host(rank) == grid.host(next)) {
            ++within_hosts;
            continue;
        }
        ++between_hosts;
        cost.message(reduces ? next : rank, reduces ? rank : next, block);
        const double latency = cost.alone(rank, next, 0) - cost.machine().message_time;
        latencies += latency;
        longest = std::max(longest, latency);
    }
    ChainCost chain(cost.machine(), problem, bytes);
    chain.add_within_hosts(within_hosts);
    const double busiest_link = std::max(cost.pace() - cost.machine().message_time, least_seconds);
    const double bandwidth = std::max(block, least_bytes) / busiest_link;
    if (between_hosts > 0) chain.add_between_hosts(1, longest, bandwidth);
    if (between_hosts > 1) {
        const int others = between_hosts - 1;
        chain.add_between_hosts(others, (latencies - longest) / others, bandwidth);
    }
    return chain.seconds();
}

}  // namespace coll_topo
