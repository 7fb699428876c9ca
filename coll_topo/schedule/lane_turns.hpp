// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/work_at_once.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace coll_topo {

/// Whose turn it is on the one thread of a rank, which serves its lanes in turn, as in the executor. Each time that
/// they have combined much, it copies, if anything waits for that, or else serves the first one that waits
/// (Program::first_lanes_first). `Waiting` is how a lane is told that it may go on.
template <typename Waiting>
class LaneTurns {
public:
    explicit LaneTurns(bool first_lanes_first) : first_lanes_first_(first_lanes_first) {}

    /// Whether the lane that asks has its turn at once. Else it has to wait().
    bool take() { return !std::exchange(busy_, true); }
    void wait(int lane, Waiting waiting) { waiting_.push_back({lane, std::move(waiting)}); }
    /// To copy what came from a rank of the host: when no lane waits to send or combine, or after much combining;
    /// oldest first.
    void wait_to_copy(Waiting waiting) { copying_.push_back(std::move(waiting)); }
    /// Likewise, to go on with what is partly copied.
    void wait_to_go_on_copying(Waiting waiting) { copying_.insert(copying_.begin(), std::move(waiting)); }
    /// For what is done only when no lane has anything to do: the late copy.
    void wait_until_idle(Waiting waiting) { idle_ = std::move(waiting); }

    /// Who has the turn next, if any lane waits.
    std::optional<Waiting> give_up() {
        busy_ = !waiting_.empty() || !copying_.empty() || idle_;
        const bool reduced_long = reduced_ >= reduced_at_once;
        if (reduced_long) reduced_ = 0;
        if (waiting_.empty() || (reduced_long && !copying_.empty())) return give_up_to_copies();
        auto next = waiting_.begin();
        if (first_lanes_first_ && reduced_long) next = std::ranges::min_element(waiting_, {}, &Lane::number);
        std::optional<Waiting> waiting = std::move(next->waiting);
        waiting_.erase(next);
        return waiting;
    }

    /// The lane whose turn it is has combined so many more bytes.
    void reduced(double bytes) { reduced_ += bytes; }

private:
    struct Lane {
        int number;
        Waiting waiting;
    };

    std::optional<Waiting> give_up_to_copies() {
        if (copying_.empty()) return std::exchange(idle_, std::nullopt);
        std::optional<Waiting> waiting = std::move(copying_.front());
        copying_.erase(copying_.begin());
        return waiting;
    }

    bool first_lanes_first_;
    bool busy_ = false;
    double reduced_ = 0;         // bytes, since that was much
    std::vector<Lane> waiting_;  // those that came first at the front
    std::vector<Waiting> copying_;
    std::optional<Waiting> idle_;
};

}  // namespace coll_topo
