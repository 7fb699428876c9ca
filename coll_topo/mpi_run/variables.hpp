// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <mpi.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coll_topo::bench {

/// Open MPI's parameters and counters, through the tools interface of MPI. Between MPI_Init and MPI_Finalize.
class Variables {
public:
    Variables();
    ~Variables();
    Variables(const Variables&) = delete;
    Variables& operator=(const Variables&) = delete;

    /// Whether this Open MPI has a component for collectives of this name.
    bool has_component(const std::string& component) const;

    /// The names by which a component's algorithms for a collective can be forced; empty if it has no such parameter.
    std::vector<std::string> algorithms(const std::string& component, std::string_view collective) const;

    /// Forces an algorithm for the communicators made from now on; every rank must do the same. Returns what to give to
    /// restore_algorithm. Fails if the component would not obey.
    Expected<int> force_algorithm(const std::string& component, std::string_view collective,
                                  std::string_view algorithm) const;
    void restore_algorithm(const std::string& component, std::string_view collective, int value) const;

    /// Whether coll_topo may serve the communicators made from now on; every rank must do the same. At first it may.
    void offer_topo(bool offered) const;

    /// A parameter's value; nothing if there is no such parameter, or a text is empty.
    std::optional<std::string> text(const std::string& parameter) const;
    std::optional<int> number(const std::string& parameter) const;  ///< 0 or 1 for a switch

    /// Names and values of all parameters whose names begin so, as text; empty for kinds that have none here.
    std::vector<std::pair<std::string, std::string>> starting_with(std::string_view begin) const;

    /// How often coll_topo ran schedules for a collective in this process; nothing if coll_topo is not there.
    std::optional<unsigned long long> runs(std::string_view collective);

private:
    struct Counter {
        std::string collective;
        MPI_T_pvar_handle handle;
    };
    const Counter* counter(std::string_view collective);

    MPI_T_pvar_session session_{};
    int topo_priority_ = 0;
    std::vector<Counter> counters_;
};

}  // namespace coll_topo::bench
