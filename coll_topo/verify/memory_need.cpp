// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/memory_need.hpp"

#include "coll_topo/verify/contributions.hpp"
#include "coll_topo/verify/matching.hpp"
#include "coll_topo/verify/memory.hpp"
#include "coll_topo/verify/rounds.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

// What DataFlow and Passage keep of a step and of a message besides its values, which belong to the locations, and
// find_rounds() of a step, whose two lists have at least one number each, and of a message.
constexpr std::int64_t flow_of_step = 12;
constexpr std::int64_t flow_of_message = 12 + 2 * sizeof(std::vector<int>);
constexpr std::int64_t rounds_of_step = 72 + 2 * 32;
constexpr std::int64_t rounds_of_message = 2 * 20 + 4 + 2 * sizeof(RoundMessage);

template <typename T>
std::int64_t bytes_of(const std::vector<T>& all) {
    return static_cast<std::int64_t>(all.capacity() * sizeof(T));
}

}  // namespace

std::int64_t bytes_to_prove(Collective collective, const Program& program, int rank, int ranks) {
    const auto messages = static_cast<std::int64_t>(std::ranges::count_if(program.actions, is_send));
    const auto steps = static_cast<std::int64_t>(program.steps.size());
    const auto actions = static_cast<std::int64_t>(program.actions.size());
    const std::int64_t locations = verify::Memory(collective, program, rank, ranks).locations();
    const std::int64_t schedule =
        sizeof program + bytes_of(program.actions) + bytes_of(program.steps) + bytes_of(program.scratch_order);
    const std::int64_t proof = actions * std::int64_t{sizeof(std::int32_t)} +
                               messages * (std::int64_t{sizeof(verify::Message)} + flow_of_message) +
                               steps * flow_of_step + locations * std::int64_t{sizeof(verify::Contributions::Value)};
    return schedule + std::max(proof, messages * rounds_of_message + steps * rounds_of_step);
}

}  // namespace coll_topo
