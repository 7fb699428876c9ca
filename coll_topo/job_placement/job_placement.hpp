// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coll_topo {

/// How much each part of the value of a submesh counts; see submesh_value().
struct ValueWeights {
    double phases = 8;
    double use = 2;
    double position = 1;
};

/// A job that looks for hosts, and what its rule may want to know.
struct Job {
    int hosts = 1;                         ///< how many it needs
    std::vector<std::int32_t> free_hosts;  ///< of the fabric, ascending: those it may have
    ValueWeights weights;                  ///< of the rules that look for the best value
    int columns = 0;                       ///< of rule grow; 0: as many as make the region square
    std::uint64_t seed = 1;                ///< of rule random
};

/// A shape that a rule looked at and did not take.
struct PassedOver {
    std::string shape;
    std::optional<double> value;  ///< none: it does not fit on the free hosts
    std::string reason;
};

/// The hosts of a job.
struct JobPlacement {
    std::vector<std::int32_t> hosts;    ///< that carry ranks, in the order of the ranks
    std::vector<std::int32_t> surplus;  ///< that complete the shape and carry none
    std::string shape;                  ///< "4 columns x 4 rows of leaves, 2 hosts each"
    std::optional<double> value;        ///< 0 to 1, the higher the better; rules without a value have none
    std::string reason;                 ///< why these
    std::vector<PassedOver> passed_over;
};

}  // namespace coll_topo
