// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/cable_collector.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>

namespace coll_topo::importing {

int CableCollector::device(std::string_view id, DeviceKind kind) {
    const auto [place, is_new] = device_of_id_.try_emplace(std::string(id), static_cast<int>(list_.devices.size()));
    if (is_new) list_.devices.push_back({kind, std::string(id), {}, 0});
    return place->second;
}

std::string CableCollector::name(CableEnd end) const {
    const Device& device = list_.devices[end.device];
    return "port " + std::to_string(end.port) + " of " + in_quotes(device.name.empty() ? device.id : device.name);
}

Expected<void> CableCollector::connect(CableEnd from, CableEnd to, double bandwidth, int line) {
    const auto [place, is_new] = halves_.try_emplace(key(from), Half{to, bandwidth, line});
    if (!is_new) {
        return failure(name(from) + " is given twice; first in line " + std::to_string(place->second.line),
                       {file_, line});
    }
    order_.push_back(from);
    return {};
}

Expected<void> CableCollector::take(CableEnd from, const Half& half, bool all_are_described) {
    Cable cable{from, half.to, half.bandwidth, half.line};
    const auto other = halves_.find(key(half.to));
    if (other == halves_.end()) {
        const Device& far = list_.devices[half.to.device];
        if (all_are_described && far.line == 0) {
            return failure(in_quotes(far.id) + " is named here, but not described; the output is not complete",
                           {file_, half.line});
        }
        if (one_sided_++ == 0) first_one_sided_ = half.line;
    } else if (other->second.to != from) {
        return failure(
            name(half.to) + " has two cables; the other one is in line " + std::to_string(other->second.line),
            {file_, half.line});
    } else {
        if (other->second.line < half.line) return {};  // taken from there
        const double there = other->second.bandwidth;
        if (cable.bandwidth == 0 || (there > 0 && there < cable.bandwidth)) cable.bandwidth = there;
    }
    if (cable.bandwidth == 0 && unknown_speeds_++ == 0) first_unknown_speed_ = half.line;
    list_.cables.push_back(cable);
    return {};
}

Expected<CableList> CableCollector::finish(bool all_are_described) {
    for (const CableEnd from : order_) RETURN_IF_ERROR(take(from, halves_.at(key(from)), all_are_described));
    if (one_sided_ > 0) {
        note(counted(one_sided_, "cable is", "cables are") +
                 " seen from one end only, the first here; they count as cables",
             first_one_sided_);
    }
    if (unknown_speeds_ > 0) {
        note("the speed of " + counted(unknown_speeds_, "cable", "cables") +
                 " is not known, the first here; it is taken to be that of the others",
             first_unknown_speed_);
    }
    return std::move(list_);
}

}  // namespace coll_topo::importing
