// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/import/cable_list.hpp"

#include <string>
#include <string_view>

namespace coll_topo::importing {

/// Whether a text looks like what ibnetdiscover, or ibnetdiscover --ports, prints.
bool is_ibnetdiscover(std::string_view text);
bool is_ibnetdiscover_ports(std::string_view text);

/// Reads what ibnetdiscover prints, also with --grouping and --full. Adapters are devices, not yet joined to hosts.
/// The form is that of infiniband-diags/ibnetdiscover.c of rdma-core: out_switch(), out_ca(), out_switch_port(),
/// out_ca_port().
Expected<CableList> read_ibnetdiscover(std::string_view text, const std::string& file);

/// The same of ibnetdiscover --ports (dump_ports_report() there). It has no GUIDs of adapters, only those of ports.
Expected<CableList> read_ibnetdiscover_ports(std::string_view text, const std::string& file);

/// What a device is that calls itself a channel adapter: some of these belong to switches and gateways.
DeviceKind kind_of_adapter(std::string_view description);

}  // namespace coll_topo::importing
