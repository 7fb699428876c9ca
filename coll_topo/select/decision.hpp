// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/catalogue.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coll_topo {

/// The most segments that can be asked for. Each is a step of the program: a few megabytes in all.
inline constexpr int most_forced_segments = 1 << 16;

/// What the user fixed; zeros and nulls leave the choice to the cost model. Equal on all ranks.
struct Preferences {
    const Algorithm* algorithm = nullptr;
    int aggregators = 0;
    int lanes = 0;
    int segments = 0;  ///< of the algorithms that have any
    /// Operands are to be combined in a fixed order: only rows that do may serve a collective that combines any.
    bool fixed_order = false;
    /// Not to be left to the previous module where there is an algorithm that can serve, however fast that module is.
    bool never_defer = false;
    bool compare_with_tuned = false;  ///< leave it to the previous module, tuned, where that is predicted to be faster
    bool host_memory = false;         ///< all ranks are on one host, and exchange data through memory
    bool list_references = false;     ///< also list what is run only when asked for
    /// Also to predict what is not chosen as well as can be, which takes longer. The choice is the same.
    bool predict_all = false;
};

/// What a call asks for, as far as the choice may depend on it. Equal on all ranks.
struct Request {
    Call call = Call::allreduce;
    /// Packed size of one rank's vector, or of all its pieces; of unequal pieces a guess, to compare algorithms by.
    double bytes = 0;
    bool commutative = true;
    int root = 0;

    Collective collective() const { return schedule_of(call); }
};

/// What a piece of calls with unequal pieces is taken to hold when algorithms are compared.
inline constexpr double typical_piece_bytes = 65536;
/// As a message about a piece has it.
inline constexpr double bytes_of_size = 8;

/// How many pieces a rank has: one for each rank, or for each neighbour.
int pieces_of(Call call, const Grid& grid);

/// What is the same in all requests for a call of so many pieces; of one whose size not all ranks know, all. A barrier
/// is a byte.
Request request_for(Call call, int pieces);

/// Whether a candidate may be chosen.
enum class Standing : std::uint8_t {
    eligible,
    not_worth_it,    ///< could run, but is known not to gain anything
    on_request,      ///< could run, but only where it is asked for or, a reference, clearly faster
    does_not_apply,  ///< cannot run: another network, another order of operands
};

/// One way to serve a request: a row of the catalogue with everything it leaves open filled in.
struct Candidate {
    const Algorithm* algorithm = nullptr;
    Problem problem;
    double seconds = 0;   ///< predicted; 0 for what does not apply; see Preferences::predict_all
    std::string refusal;  ///< why it is not to be used; empty if it is eligible
    Standing standing = Standing::eligible;
    ReceiversAtOnce receivers_at_once = ReceiversAtOnce::one;  ///< one, several or all, where that counts
    bool looked_at_closely = false;                            ///< of those near the fastest: as CloseLook predicts it

    /// "halving_doubling, 4 lanes, 2 aggregators per host", "pipelined_chain, 64 segments"
    std::string text() const;
    /// How many messages a rank may send at once: one in each lane, or more than there are ever lanes, most to all.
    int messages_at_once() const;
};

/// The choice and all there was to choose from.
struct Decision {
    std::vector<Candidate> candidates;
    int chosen = -1;                       ///< index of a candidate, or -1: the previous module
    double more_at_once_worth_it = 1;      ///< a part of the time; see worth_its_messages.hpp
    std::string rule;                      ///< "FILE:LINE" of the rule that decided; empty: none did
    std::vector<std::string> passed_over;  ///< matching rules before it that cannot be obeyed, and why
    std::optional<Candidate> previous;     ///< the row that does what tuned does, where that was compared and is known
};

/// Whether two predictions differ by no more than the rounding in them.
bool equally_fast(double one, double other);

/// The candidate with the lowest predicted time, of equally fast ones the first; a reference on up to 2048 ranks where
/// it is clearly faster; or none where tuned is, or would do the same.
/// Depends on nothing but its arguments. Of the numbers of segments that an algorithm allows only one is a candidate:
/// the fastest, but a larger one must be clearly faster.
Decision decide(const Grid& grid, const Request& request, const Preferences& preferences);

/// Requests of the same class are served alike: class c holds sizes of c significant bits, 2^(c-1) .. 2^c - 1 bytes.
int size_class(std::size_t bytes);
/// The size that stands for a class in predictions.
double representative_bytes(int size_class);

/// "64 KiB", for people.
std::string bytes_text(double bytes);

}  // namespace coll_topo
