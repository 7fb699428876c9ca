// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/result_agreement.hpp"

#include "coll_topo/schedule/result_transfers.hpp"

#include <string>
#include <vector>

namespace coll_topo::verify {

Expected<void> check_result_transfers(Collective collective, const Schedule& schedule, const Matching& matching) {
    std::vector<std::vector<bool>> results;
    for (const Program& program : schedule) results.push_back(transfers_of_results(program, collective));
    for (const Message& message : matching.messages) {
        const bool sent = results[message.sender.rank][message.sender.action];
        if (sent == results[message.receiver.rank][message.receiver.action]) continue;
        return failure("rank " + std::to_string(message.sender.rank) + " sends " +
                       (sent ? "results to rank " : "partial sums to rank ") + std::to_string(message.receiver.rank) +
                       ", which takes them for " + (sent ? "partial sums" : "results"));
    }
    return {};
}

}  // namespace coll_topo::verify
