// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/communicator.hpp"
#include "coll_topo/engine/guard.hpp"
#include "coll_topo/engine/topology.hpp"

#include <utility>
#include <vector>

using namespace coll_topo;

int coll_topo_communicator_create(const coll_topo_topology* topology, const coll_topo_location* locations, int ranks,
                                  int rank, const coll_topo_settings* settings, coll_topo_communicator** communicator,
                                  char* message, size_t message_size) {
    *communicator = nullptr;
    return guarded_planning(message, message_size, [&] {
        Placement placement;
        placement.reserve(ranks);
        for (const coll_topo_location& at : std::span(locations, ranks)) {
            placement.push_back({at.host, at.package, at.numa, at.l3, at.core, at.processors});
        }
        auto grid = Grid::from_fabric(topology->fabric, placement);
        if (!grid) {
            write_message(grid.error().text(), message, message_size);
            return static_cast<int>(COLL_TOPO_FAILED);
        }
        if (settings->host_memory != 0) grid->set_processors(shared_processors(placement));
        *communicator = new coll_topo_communicator(std::move(*grid), rank, *settings, *topology->decisions, placement);
        return static_cast<int>(COLL_TOPO_OK);
    });
}

int coll_topo_communicator_set_cartesian(coll_topo_communicator* communicator, int dimensions, const int* sizes,
                                         const int* periodic) {
    return guarded_planning(nullptr, 0, [&] {
        std::vector<Cartesian::Dimension> all;
        std::int64_t ranks = 1;
        for (int d = 0; d < dimensions; ++d) {
            all.push_back({sizes[d], periodic[d] != 0});
            ranks *= sizes[d];
        }
        if (ranks == communicator->ranks()) communicator->set_cartesian(Cartesian(std::move(all)));
        return static_cast<int>(COLL_TOPO_OK);
    });
}

void coll_topo_communicator_free(coll_topo_communicator* communicator) {
    delete communicator;
}

const char* coll_topo_communicator_summary(const coll_topo_communicator* communicator) {
    return communicator->summary().c_str();
}

const int* coll_topo_last_ways(const coll_topo_communicator* communicator) {
    return communicator->last_ways().data();
}

size_t coll_topo_least_bytes(const coll_topo_communicator* communicator, int collective) {
    size_t least = 0;
    guarded_planning(nullptr, 0, [&] {
        least = communicator->least_bytes(static_cast<Call>(collective));
        return static_cast<int>(COLL_TOPO_OK);
    });
    return least;
}

namespace {

int choose(coll_topo_communicator* communicator, int collective, size_t bytes, int root, int commutative,
           bool fixed_order, const char** explanation, coll_topo_plan** plan) {
    *explanation = nullptr;
    const auto call = static_cast<Call>(collective);
    const coll_topo_communicator::Arguments arguments{bytes, root, commutative != 0, fixed_order};
    if (communicator->repeats(call, arguments, plan)) return COLL_TOPO_OK;
    *plan = nullptr;
    return guarded(nullptr, 0, [&] {
        Request request = request_for(call, pieces_of(call, communicator->grid()));
        if (has_size(call)) request.bytes = static_cast<double>(bytes);
        request.commutative = commutative != 0;
        request.root = root;
        *plan = communicator->choose(request, fixed_order);
        *explanation = communicator->explain(request, fixed_order);
        communicator->remember(call, arguments, *plan);
        return static_cast<int>(COLL_TOPO_OK);
    });
}

}  // namespace

int coll_topo_choose(coll_topo_communicator* communicator, int collective, size_t bytes, int root, int commutative,
                     const char** explanation, coll_topo_plan** plan) {
    return choose(communicator, collective, bytes, root, commutative, false, explanation, plan);
}

int coll_topo_choose_in_streak(coll_topo_communicator* communicator, int collective, size_t bytes, int root,
                               int commutative, const char** explanation, coll_topo_plan** plan) {
    const coll_topo_communicator::Arguments arguments{bytes, root, commutative != 0, false};
    std::int64_t& left = communicator->streaks()[collective];
    const bool repeats = communicator->repeats(static_cast<Call>(collective), arguments, plan);
    *explanation = nullptr;
    if (repeats && --left != 0) return COLL_TOPO_OK;
    *plan = nullptr;
    if (repeats || left > 0) return COLL_TOPO_OK;
    return choose(communicator, collective, bytes, root, commutative, false, explanation, plan);
}

int64_t* coll_topo_streaks(coll_topo_communicator* communicator) {
    return communicator->streaks().data();
}

int coll_topo_choose_fixed_order(coll_topo_communicator* communicator, int collective, size_t bytes, int root,
                                 int commutative, const char** explanation, coll_topo_plan** plan) {
    return choose(communicator, collective, bytes, root, commutative, true, explanation, plan);
}

int coll_topo_plan_is_direct(const coll_topo_plan* plan) {
    return plan->algorithm->direct;
}

static_assert(COLL_TOPO_MOST_LANES == most_lanes);

int coll_topo_plan_lanes(const coll_topo_plan* plan) {
    return plan->problem.lanes;
}

int coll_topo_plan_keeps_output(const coll_topo_plan* plan) {
    return plan->keeps_output;
}

void* coll_topo_temporary(coll_topo_communicator* communicator, size_t bytes) {
    return communicator->temporary(bytes);
}

int coll_topo_run(coll_topo_communicator* communicator, coll_topo_plan* plan, coll_topo_transport* transport,
                  const coll_topo_buffers* buffers) {
    return guarded(nullptr, 0, [&] { return communicator->run(*plan, *transport, *buffers); });
}

size_t coll_topo_short_piece_bytes(const coll_topo_plan* plan) {
    return plan->ahead ? plan->ahead->short_bytes : 0;
}

coll_topo_plan* coll_topo_plan_of_cells(coll_topo_plan* plan) {
    return plan->ahead && plan->ahead->cells ? plan->ahead->cells.get() : plan;
}

coll_topo_plan* coll_topo_plan_of_answers(coll_topo_plan* plan) {
    return plan->ahead ? plan->ahead->answers.get() : nullptr;
}

int coll_topo_exchange_sizes(coll_topo_communicator* communicator, coll_topo_plan* plan, coll_topo_transport* bytes,
                             int root, const coll_topo_cells* cells, size_t* sizes) {
    return guarded(nullptr, 0, [&] { return communicator->exchange_sizes(*plan, *bytes, root, *cells, sizes); });
}

int coll_topo_run_encoded(coll_topo_communicator* communicator, coll_topo_plan* plan, coll_topo_plan* allreduce,
                          coll_topo_transport* bytes, const coll_topo_buffers* buffers,
                          const coll_topo_encoded_reduction* reduction) {
    return guarded(nullptr, 0,
                   [&] { return communicator->run_encoded(*plan, *allreduce, *bytes, *buffers, *reduction); });
}
