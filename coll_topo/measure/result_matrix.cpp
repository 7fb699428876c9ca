// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/result_matrix.hpp"

#include "coll_topo/base/digest.hpp"
#include "coll_topo/grid/grid.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/measure/matrix_call.hpp"
#include "coll_topo/mpi_run/cartesian_communicator.hpp"
#include "coll_topo/mpi_run/component.hpp"
#include "coll_topo/select/decision.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

namespace coll_topo::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr int counts[] = {1, 17, 3001};
constexpr int smallest_exponent = 3, largest_exponent = 26;  // sizes for which choices are made: 8 B to 64 MiB
constexpr const char* own_choice = "the choice";

/// The algorithms that the choice takes for some size, each once.
std::vector<std::string> algorithms_of(const Operation& operation, const Grid& grid) {
    std::vector<std::string> names;
    const auto call = find_call(operation.name);
    if (!call) return names;
    for (int exponent = smallest_exponent; exponent <= largest_exponent; ++exponent) {
        Request request = request_for(*call, pieces_of(*call, grid));
        if (has_size(*call)) request.bytes = std::ldexp(1, exponent);
        const Decision decision = decide(grid, request, {});
        if (decision.chosen < 0) continue;
        std::string name(decision.candidates[static_cast<std::size_t>(decision.chosen)].algorithm->name);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
    return names;
}

std::vector<MatrixCall> calls_of(std::string_view collective, int ranks) {
    std::vector<MatrixCall> calls;
    const auto pairs = reduces(collective) ? reductions() : movements();
    const auto kind = find_call(collective);
    const bool has_root = kind && is_rooted(schedule_of(*kind));
    const bool has_place = collective != "bcast" && !collective.starts_with("scatter") &&
                           !collective.starts_with("alltoall") && collective != "barrier" &&
                           !(kind && is_neighborhood(*kind));
    if (collective == "barrier") return {{collective, &pairs.front(), 0, 0, false}};
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
        for (std::size_t size = 0; size < std::size(counts); ++size) {
            MatrixCall& call = calls.emplace_back(MatrixCall{collective, &pairs[pair], counts[size]});
            call.root = has_root && (pair + size) % 2 == 1 ? ranks - 1 : 0;
            call.in_place = has_place && (pair + size) % 3 == 2;
        }
    }
    return calls;
}

/// What a call has given, to be compared with others of the same call.
struct Result {
    int status = 0;
    std::uint64_t received = 0;  ///< a digest of it: there may be many calls, of many pieces

    bool operator==(const Result&) const = default;
};

Result result_of(const MatrixOutcome& outcome) {
    Digest digest;
    digest.add(std::string_view(reinterpret_cast<const char*>(outcome.received.data()), outcome.received.size()));
    return {outcome.status, digest.value()};
}

class Matrix {
public:
    /// Calls to neighbours are on a Cartesian communicator of that topology.
    Matrix(MPI_Comm communicator, const Cartesian& cartesian, Variables& variables,
           const std::function<void(const std::string&)>& write)
        : communicator_(communicator), cartesian_(cartesian), variables_(variables), write_(write) {
        MPI_Comm_rank(communicator, &rank_);
        MPI_Comm_size(communicator, &ranks_);
        document_ = {{"version", 1}, {"complete", false}, {"missing", ""}, {"checks", Json::array()}};
    }

    /// The calls of a collective without coll_topo, with which those with each algorithm are to be compared.
    void begin(const Operation& operation) {
        calls_ = calls_of(operation.name, ranks_);
        right_.clear();
        MPI_Comm with_neighbors = operation.of_neighbors ? make_cartesian(cartesian_, communicator_) : MPI_COMM_NULL;
        const MPI_Comm called = operation.of_neighbors ? with_neighbors : communicator_;
        for (const MatrixCall& call : calls_) right_.push_back(result_of(run_call(call, called)));
        if (operation.of_neighbors) MPI_Comm_free(&with_neighbors);
    }

    /// The same with an algorithm.
    void check(const Operation& operation, const std::string& algorithm) {
        const std::string forced = algorithm == own_choice ? "" : algorithm;
        const auto component = Component::make({"topo", forced}, operation, variables_, communicator_, &cartesian_);
        if (!component) return;
        std::vector<int> wrong(calls_.size()), served(calls_.size());
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            const auto before = variables_.runs(operation.name);
            const MatrixOutcome own = run_call(calls_[i], component->communicator());
            served[i] = variables_.runs(operation.name) != before ? 1 : 0;
            const bool right = result_of(own) == right_[i] && own.operands_untouched && own.guards_untouched;
            wrong[i] = right ? 0 : 1;
        }
        note(std::string(operation.name), algorithm, wrong, served, [&](std::size_t i) { return calls_[i].text(); });
    }

    /// Sums of numbers of very different sizes, on this communicator and on one with ranks in the opposite order.
    void check_exact_sums() {
        std::vector<int> wrong, served;
        const MPI_Comm here = exact_communicator(communicator_);
        MPI_Comm turned = MPI_COMM_NULL;
        MPI_Comm_split(communicator_, 0, -rank_, &turned);
        const MPI_Comm there = exact_communicator(turned);
        for (const int count : counts) {
            const auto before = variables_.runs("allreduce");
            const std::vector<double> one = sum(count, here), other = sum(count, there);
            served.push_back(variables_.runs("allreduce") != before ? 1 : 0);
            wrong.push_back(std::memcmp(one.data(), other.data(), one.size() * sizeof(double)) != 0 ? 1 : 0);
        }
        note("allreduce", "exact sums on two placements", wrong, served,
             [](std::size_t i) { return std::to_string(counts[i]) + " elements"; });
        for (MPI_Comm communicator : {here, turned, there}) MPI_Comm_free(&communicator);
    }

    void miss(const std::string& why) { document_["missing"] = why; }
    void end() {
        document_["complete"] = true;
        tell();
    }

private:
    MPI_Comm exact_communicator(MPI_Comm communicator) {
        MPI_Info info = MPI_INFO_NULL;
        MPI_Comm copy = MPI_COMM_NULL;
        MPI_Info_create(&info);
        MPI_Info_set(info, "coll_topo_reproducible", "exact");
        MPI_Info_set(info, "ompi_comm_coll_preference", "topo");
        variables_.offer_topo(true);
        MPI_Comm_dup_with_info(communicator, info, &copy);
        variables_.offer_topo(false);
        MPI_Info_free(&info);
        return copy;
    }

    static std::vector<double> sum(int count, MPI_Comm communicator) {
        int rank = 0;
        MPI_Comm_rank(communicator, &rank);
        std::vector<double> own(static_cast<std::size_t>(count)), all(own.size());
        for (std::size_t i = 0; i < own.size(); ++i) {
            const Element hash = Pattern::scrambled(i) * weight_of(rank, 2);
            own[i] = std::ldexp(static_cast<double>(hash) - 2e9, static_cast<int>(hash >> 8) % 200 - 100);
        }
        MPI_Allreduce(own.data(), all.data(), count, MPI_DOUBLE, MPI_SUM, communicator);
        return all;
    }

    /// A call is wrong, or served, if it is so on some rank, or on rank 0.
    template <typename Text>
    void note(const std::string& collective, const std::string& algorithm, std::vector<int> wrong,
              const std::vector<int>& served, Text text) {
        std::vector<int> on_some(wrong.size());
        MPI_Reduce(wrong.data(), on_some.data(), static_cast<int>(wrong.size()), MPI_INT, MPI_MAX, 0, communicator_);
        if (rank_ != 0) return;
        const auto first = std::find(on_some.begin(), on_some.end(), 1);
        document_["checks"].push_back(
            {{"collective", collective},
             {"algorithm", algorithm},
             {"calls", wrong.size()},
             {"served", std::count(served.begin(), served.end(), 1)},
             {"wrong", std::count(on_some.begin(), on_some.end(), 1)},
             {"first_wrong", first == on_some.end() ? "" : text(static_cast<std::size_t>(first - on_some.begin()))}});
        tell();
    }

    void tell() {
        if (rank_ == 0) write_(document_.dump() + '\n');
    }

    MPI_Comm communicator_;
    Cartesian cartesian_;
    Variables& variables_;
    const std::function<void(const std::string&)>& write_;
    int rank_ = 0, ranks_ = 1;
    std::vector<MatrixCall> calls_;  // of the collective that is looked at
    std::vector<Result> right_;
    Json document_;
};

}  // namespace

void check_results(MPI_Comm communicator, Variables& variables, const Fabric& fabric,
                   const std::vector<int>& host_of_rank, const std::function<void(const std::string&)>& begin,
                   const std::function<void(const std::string&)>& write) {
    Placement placement(host_of_rank.size());
    for (std::size_t rank = 0; rank < placement.size(); ++rank) placement[rank].host = host_of_rank[rank];
    Fabric known = fabric;
    assume_bandwidth(known);
    auto grid = Grid::from_fabric(known, placement);
    const Cartesian cartesian = agreed_cartesian(grid ? cartesian_along_axes(*grid) : std::nullopt, communicator);
    if (grid) grid->set_cartesian(cartesian);
    Matrix matrix(communicator, cartesian, variables, write);
    if (!variables.has_component("topo")) {
        matrix.miss("Open MPI does not find the component topo: see coll-topo doctor");
        return matrix.end();
    }
    for (const Operation& operation : operations()) {
        std::vector<std::string> algorithms = {own_choice};
        if (grid) {
            const auto forced = algorithms_of(operation, *grid);
            algorithms.insert(algorithms.end(), forced.begin(), forced.end());
        }
        begin("results, " + std::string(operation.name) + ", without coll_topo");
        matrix.begin(operation);
        for (const std::string& algorithm : algorithms) {
            begin("results, " + std::string(operation.name) + ", " + algorithm);
            matrix.check(operation, algorithm);
        }
    }
    begin("results, exact sums");
    matrix.check_exact_sums();
    matrix.end();
}

}  // namespace coll_topo::bench
