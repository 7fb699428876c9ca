// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/host_match.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace coll_topo {

namespace {

std::string_view short_name(std::string_view name) {
    return name.substr(0, name.find('.'));
}

/// The one host that `fits`, or missing.
template <typename Fits>
Expected<int> only_one(const NameTable& hosts, std::string_view name, const Fits& fits) {
    int found = NameTable::missing;
    for (int host = 0; host < hosts.size(); ++host) {
        if (!fits(hosts.name(host))) continue;
        if (found != NameTable::missing) {
            return failure("the name " + in_quotes(name) + " of this host fits both " + in_quotes(hosts.name(found)) +
                           " and " + in_quotes(hosts.name(host)));
        }
        found = host;
    }
    return found;
}

}  // namespace

std::string plain_address(std::string_view address) {
    constexpr std::size_t digits_of_port = 16;
    const bool is_ipv4 = std::count(address.begin(), address.end(), '.') == 3 &&
                         address.find_first_not_of("0123456789.") == std::string_view::npos;
    if (is_ipv4) return std::string(address);
    if (address.starts_with("0x")) address.remove_prefix(2);
    std::string digits;
    for (const char letter : address) {
        if (letter == ':' || letter == '.' || letter == '-') continue;
        if (std::isxdigit(static_cast<unsigned char>(letter)) == 0) return {};
        digits += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    if (digits.size() > digits_of_port) digits.erase(0, digits.size() - digits_of_port);
    return digits.erase(0, digits.find_first_not_of('0'));
}

Expected<HostAddresses> read_host_addresses(std::span<const Statement> statements, const NameTable& hosts) {
    HostAddresses addresses;
    for (const Statement& statement : statements) {
        if (statement.rule->kind != StatementKind::host_address) continue;
        const Located name = statement.value("Node");
        const int host = hosts.find(name.text);
        if (host == NameTable::missing) return name.error("no host " + in_quotes(name.text) + " in this file");
        for (const Located& address : split(statement.value("Address"), ',')) {
            const std::string plain = plain_address(address.text);
            if (plain.empty())
                return address.error("expected a GUID, MAC or IP address, found " + in_quotes(address.text));
            const auto [known, is_new] = addresses.try_emplace(plain, host);
            if (is_new || known->second == host) continue;
            return address.error("address " + in_quotes(address.text) + " is given to " +
                                 in_quotes(hosts.name(known->second)) + " too");
        }
    }
    return addresses;
}

Expected<int> match_host(const NameTable& hosts, std::string_view name) {
    const int exact = hosts.find(name);
    if (exact != NameTable::missing) return exact;
    ASSIGN_OR_RETURN(const int same,
                     only_one(hosts, name, [&](std::string_view host) { return same_word(host, name); }));
    if (same != NameTable::missing) return same;
    const bool has_domain = short_name(name).size() < name.size();
    const int without_domain = has_domain ? hosts.find(short_name(name)) : NameTable::missing;
    if (without_domain != NameTable::missing) return without_domain;
    return only_one(hosts, name, [&](std::string_view host) {
        const bool host_has_domain = short_name(host).size() < host.size();
        return host_has_domain != has_domain && same_word(short_name(host), short_name(name));
    });
}

}  // namespace coll_topo
