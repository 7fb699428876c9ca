// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <string>
#include <vector>

namespace coll_topo::importing {

enum class DeviceKind {
    network_switch,
    adapter,  ///< of a host, which may have several
    other,    ///< router, gateway, or a switch's own processor: nothing that runs ranks
};

/// What cables end at, as the source tells it.
struct Device {
    DeviceKind kind = DeviceKind::other;
    std::string id;     ///< what is unique: a GUID, or the MAC of a chassis
    std::string name;   ///< what people have called it; may be empty, and may be the same for several
    int line = 0;       ///< of the source, where it is described; 0: it is only named as the other end of a cable
    int only_port = 0;  ///< where each port of an adapter is a device of its own, the number of the port
    std::vector<std::string> addresses = {};  ///< GUIDs and MACs by which hwloc may know it
};

struct CableEnd {
    int device = 0;  ///< of CableList::devices
    int port = 0;

    auto operator<=>(const CableEnd&) const = default;
};

struct Cable {
    CableEnd a, b;
    double bandwidth = 0;  ///< of one direction, bytes/s; 0: the source does not say
    int line = 0;          ///< of the source
};

/// A network as a subnet manager or discovery protocol sees it: each cable once.
struct CableList {
    std::vector<Device> devices = {};
    std::vector<Cable> cables = {};
    std::vector<Error> notes = {};  ///< what is odd, but no reason to refuse the source
};

}  // namespace coll_topo::importing
