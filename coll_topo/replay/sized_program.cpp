// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/replay/sized_program.hpp"

#include "coll_topo/schedule/late_copies.hpp"
#include "coll_topo/schedule/message_sizes.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {

int SizedProgram::sends() const {
    return static_cast<int>(std::ranges::count_if(
        program.actions, [&](const Action& action) { return is_send(action) && bytes_of(action) > 0; }));
}

SizedProgram sized(Collective collective, Program program, int rank, int ranks, std::uint64_t bytes) {
    SizedProgram sized{std::move(program)};
    const MessageSizes sizes(collective, sized.program, rank, ranks, bytes);
    sized.bytes.reserve(sized.program.actions.size());
    for (const Action& action : sized.program.actions) sized.bytes.push_back(static_cast<double>(sizes.bytes(action)));
    if (copies_own_piece_late(sized.program, collective, ranks, rank, sizes)) {
        sized.copied_late = bytes_of_late_copies(sized.program, sizes);
    }
    return sized;
}

}  // namespace coll_topo
