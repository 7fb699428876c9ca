// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/select/time_sharing.hpp"

#include <cstddef>
#include <functional>
#include <optional>

namespace coll_topo {

/// How long a row takes for a problem that it serves: by its own formula, and where the file says that all hosts share
/// processors (Machine SharedMessageTime=), as containers on one computer do, by the number of all messages. In a
/// pipeline processors work while links transfer; else ranks send, and then wait. That links pass something at once
/// after a rest (LinkBurst=) only replays know. Where ranks on one host outnumber its processors, by TimeSharing as
/// well; where hosts share them, with waiting_among_hosts().
class Prediction {
public:
    /// The number of segments does not matter. Where nothing is shared it looks at no schedule, else at those for one
    /// segment and for two. The algorithm and the grid must outlive it.
    Prediction(const Algorithm& algorithm, const Grid& grid, const Problem& problem);

    double seconds(int segments, double bytes) const;

private:
    double by_formula(int segments, double bytes) const;
    /// Among hosts, of one segment: the same for all short calls.
    double waiting(double bytes) const;

    const Algorithm& algorithm_;
    const Grid& grid_;
    Problem problem_;
    double shared_of_one_segment_ = 0;
    double shared_of_each_more_ = 0;  ///< of several; a single one may be sent in another way
    std::optional<TimeSharing> time_sharing_;
    mutable std::function<double(int, double)> formula_;  ///< of rows that give one, as soon as it is asked for
    mutable std::optional<double> waiting_;               ///< of short calls, as soon as it is asked for
};

/// Of a call where the root alone knows the sizes of pieces, and ranks pass on those of others: how long what goes
/// ahead of them takes. Else 0.
double seconds_ahead(Call call, const Algorithm& algorithm, const Grid& grid, const Problem& problem);

/// What a call takes, with that; without a prediction that serves other numbers of segments, too, by one of its own.
double seconds_of(Call call, const Prediction& prediction, const Algorithm& algorithm, const Grid& grid,
                  const Problem& problem, double bytes);
double seconds_of(Call call, const Algorithm& algorithm, const Grid& grid, const Problem& problem, double bytes);

/// Of a gather or scatter where the root alone knows the sizes of pieces: how these go ahead, with the pieces that are
/// short. Either by the schedule of the pieces, so that every rank learns the sizes of those that pass through it, or
/// directly, which is faster for few bytes: then the root answers ranks whose pieces are longer, and if all are, their
/// sizes go by the schedule as well.
struct SizesAhead {
    const Algorithm* algorithm = nullptr;  ///< the schedule's own, or a direct one; null: nothing goes ahead
    std::size_t room = 0;                  ///< bytes for a piece beside its size
    double seconds = 0;                    ///< of all that comes before long pieces
};
SizesAhead sizes_ahead(const Algorithm& algorithm, const Grid& grid, const Problem& problem, bool may_go_directly);

}  // namespace coll_topo
