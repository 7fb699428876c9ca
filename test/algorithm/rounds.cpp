// SPDX-License-Identifier: BSD-3-Clause
#include "test/algorithm/rounds.hpp"

#include "coll_topo/verify/rounds.hpp"

#include <algorithm>

namespace coll_topo::test {

int rounds(const Schedule& schedule) {
    const auto found = find_rounds(schedule);
    return found ? static_cast<int>(found->size()) : -1;
}

int message_steps(const Program& program) {
    return static_cast<int>(std::ranges::count_if(
        program.steps, [&](const Step& step) { return std::ranges::any_of(program.actions_of(step), is_transfer); }));
}

int messages_sent(const Schedule& schedule) {
    std::ptrdiff_t messages = 0;
    for (const Program& program : schedule) messages += std::ranges::count_if(program.actions, is_send);
    return static_cast<int>(messages);
}

}  // namespace coll_topo::test
