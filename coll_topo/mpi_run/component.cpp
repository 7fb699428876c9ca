// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/component.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/wording.hpp"
#include "coll_topo/mpi_run/cartesian_communicator.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo::bench {

namespace {

/// Tries a call with one element; as the communicator's first, it also makes the component decide. Some algorithms are
/// for two ranks only and refuse others.
bool can_be_called(const Operation& operation, MPI_Comm communicator, const Cartesian* cartesian) {
    Call call;
    call.cartesian = cartesian;
    MPI_Comm_rank(communicator, &call.rank);
    MPI_Comm_size(communicator, &call.ranks);
    Buffers buffers{std::vector<Element>(call.all_pieces()), std::vector<Element>(call.all_pieces()), {}, {}, {}, {}};
    operation.prepare(call, buffers);
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    const bool well = operation.run(call, buffers, communicator) == MPI_SUCCESS;
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_ARE_FATAL);
    return well;
}

bool on_all_ranks(bool well, MPI_Comm communicator) {
    const int own = well;
    int all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, communicator);
    return all != 0;
}

bool some_collective_has(const ComponentName& name, const Variables& variables) {
    return std::any_of(operations().begin(), operations().end(), [&](const Operation& operation) {
        const auto names = variables.algorithms(name.component, operation.name);
        return std::find(names.begin(), names.end(), name.algorithm) != names.end();
    });
}

Expected<void> check(const ComponentName& name, const Variables& variables) {
    if (!variables.has_component(name.component)) {
        return failure("this Open MPI has no component '" + name.component +
                       "' for collectives, or was told not to load it; see ompi_info");
    }
    if (name.component == "tuned" && !name.algorithm.empty() && variables.number("coll_tuned_use_dynamic_rules") != 1) {
        return failure("tuned runs a forced algorithm only after `mpirun --mca coll_tuned_use_dynamic_rules 1`");
    }
    if (!name.algorithm.empty() && name.algorithm != "*" && !some_collective_has(name, variables)) {
        return failure("the component " + name.component + " has no algorithm '" + name.algorithm +
                       "'; see ompi_info --param coll " + name.component + " --level 9");
    }
    return {};
}

}  // namespace

Expected<ComponentName> parse_component(std::string_view text) {
    const std::size_t colon = text.find(':');
    ComponentName name{std::string(text.substr(0, colon)), ""};
    if (colon != std::string_view::npos) name.algorithm = text.substr(colon + 1);
    const bool wrong_algorithm = colon != std::string_view::npos && name.algorithm.empty();
    if (name.component.empty() || wrong_algorithm || name.component.find_first_of("^,") != std::string::npos) {
        return failure("expected COMPONENT or COMPONENT:ALGORITHM, such as topo or tuned:ring, found " +
                       in_quotes(text));
    }
    return name;
}

MPI_Comm duplicate(MPI_Comm communicator, const std::string& preference) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ompi_comm_coll_preference", preference.c_str());
    MPI_Comm_dup_with_info(communicator, info, &copy);
    MPI_Info_free(&info);
    return copy;
}

Expected<std::vector<ComponentName>> components_for(const std::vector<ComponentName>& names, const Operation& operation,
                                                    const Variables& variables) {
    std::vector<ComponentName> components;
    const auto add = [&](const ComponentName& name) {
        const bool known = std::any_of(components.begin(), components.end(),
                                       [&](const ComponentName& other) { return other.text() == name.text(); });
        if (!known) components.push_back(name);
    };
    for (const ComponentName& name : names) {
        RETURN_IF_ERROR(check(name, variables));
        if (name.algorithm.empty()) {
            add(name);
            continue;
        }
        for (const std::string& algorithm : variables.algorithms(name.component, operation.name)) {
            if (name.algorithm == "*" || name.algorithm == algorithm) add({name.component, algorithm});
        }
    }
    return components;
}

Expected<Component> Component::make(ComponentName name, const Operation& operation, const Variables& variables,
                                    MPI_Comm communicator, const Cartesian* cartesian) {
    Expected<int> before = 0;
    if (!name.algorithm.empty()) before = variables.force_algorithm(name.component, operation.name, name.algorithm);
    RETURN_IF_ERROR(before);
    // Else coll_topo would be installed below the others, and serve communicators that HAN makes for itself, now or
    // later.
    variables.offer_topo(name.component == "topo");
    if (!operation.of_neighbors) cartesian = nullptr;
    MPI_Comm with_neighbors = cartesian != nullptr ? make_cartesian(*cartesian, communicator) : communicator;
    const MPI_Comm copy = duplicate(with_neighbors, name.component);
    if (cartesian != nullptr) MPI_Comm_free(&with_neighbors);
    variables.offer_topo(false);
    Component component(std::move(name), copy);
    const bool well = can_be_called(operation, component.communicator(), cartesian);
    if (!component.name().algorithm.empty()) {
        variables.restore_algorithm(component.name().component, operation.name, *before);
    }
    if (!on_all_ranks(well, communicator)) return failure(component.name().text() + " cannot serve so many ranks");
    return component;
}

}  // namespace coll_topo::bench
