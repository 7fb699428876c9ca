// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/mpi_run/operation.hpp"
#include "coll_topo/mpi_run/variables.hpp"

#include <mpi.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coll_topo::bench {

/// A component of Open MPI for collectives, and what it is to run.
struct ComponentName {
    std::string component;
    std::string algorithm;  ///< empty: the component chooses; "*": each of its algorithms in turn

    std::string text() const { return algorithm.empty() ? component : component + ":" + algorithm; }
};

/// "tuned", "tuned:ring" or "tuned:*".
Expected<ComponentName> parse_component(std::string_view text);

/// The components that take part in the measurement of a collective: with "*" replaced by the names of the algorithms,
/// and without those that have no algorithm of the name for this collective. Fails if an algorithm is of no collective,
/// or Open MPI has no such component.
Expected<std::vector<ComponentName>> components_for(const std::vector<ComponentName>& names, const Operation& operation,
                                                    const Variables& variables);

/// A copy of a communicator in which components for collectives are preferred, or, after "^", left out.
MPI_Comm duplicate(MPI_Comm communicator, const std::string& preference);

/// A communicator like the given one whose collectives one component serves, as far as it can.
class Component {
public:
    /// Collective over `communicator`. Forces the algorithm where one is named. Every rank must give the same. Fails,
    /// on all ranks, if the component does not obey, or cannot serve so many ranks. `cartesian`: for operations of
    /// neighbours, which need it.
    static Expected<Component> make(ComponentName name, const Operation& operation, const Variables& variables,
                                    MPI_Comm communicator, const Cartesian* cartesian = nullptr);
    Component(Component&& other) noexcept : name_(std::move(other.name_)), communicator_(other.communicator_) {
        other.communicator_ = MPI_COMM_NULL;
    }
    Component& operator=(Component&& other) noexcept {
        std::swap(name_, other.name_);
        std::swap(communicator_, other.communicator_);
        return *this;
    }
    ~Component() {
        if (communicator_ != MPI_COMM_NULL) MPI_Comm_free(&communicator_);
    }

    const ComponentName& name() const { return name_; }
    MPI_Comm communicator() const { return communicator_; }

private:
    Component(ComponentName name, MPI_Comm communicator) : name_(std::move(name)), communicator_(communicator) {}

    ComponentName name_;
    MPI_Comm communicator_;
};

}  // namespace coll_topo::bench
