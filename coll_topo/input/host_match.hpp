// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/name_table.hpp"
#include "coll_topo/input/statement.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace coll_topo {

/// GUIDs and MACs of adapters and IP addresses, as plain_address() -> host: the HostAddress lines of a topology file.
using HostAddresses = std::map<std::string, int>;

/// Hexadecimal digits alone, in lower case, without zeros at the beginning; the last 16 of longer ones, which are those
/// of a port in its GID: "0x0002C903000E0B72" and "fe80:0000:0000:0000:0002:c903:000e:0b72" are both "2c903000e0b72".
/// An address of IPv4, such as "10.1.0.17", stays as it is. Empty if it is no address.
std::string plain_address(std::string_view address);

/// Reads the HostAddress lines among statements. Fails on a host that is not there, and on an address given twice.
Expected<HostAddresses> read_host_addresses(std::span<const Statement> statements, const NameTable& hosts);

/// The host that a machine's name stands for, or NameTable::missing: the same name; else the same without regard to
/// case; else, where only one of the two has a domain, the same without it. Fails, and names both, where two hosts fit
/// equally well.
Expected<int> match_host(const NameTable& hosts, std::string_view name);

}  // namespace coll_topo
