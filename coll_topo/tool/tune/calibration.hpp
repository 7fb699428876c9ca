// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/tool/tune/measured_costs.hpp"
#include "coll_topo/tool/tune/topology_edit.hpp"

#include <map>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// One value of a topology file, and what was measured for it.
struct CalibratedValue {
    std::string name;  ///< "Bandwidth of dimension 1"
    std::string before;
    MeasuredValue measured;
    bool is_time = false;  ///< seconds, else bytes/s
    std::string kept_for;  ///< why it stays as it was; empty: it does not

    std::string after() const;  ///< as it is written
};

/// What a topology file is to be changed to.
struct Calibration {
    std::vector<CalibratedValue> values;
    std::vector<KeyEdit> edits;
};

/// Compares a file with measurements of its network. Values whose quartiles differ by more than the factor
/// `most_spread` stay as they are, and so do those that were not measured. `statements` are those of the file.
Calibration calibrate(const Fabric& fabric, const std::map<StatementKind, int>& statements, const MeasuredCosts& costs,
                      double most_spread);

}  // namespace coll_topo::tool
