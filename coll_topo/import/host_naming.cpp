// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/host_naming.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/import/source_lines.hpp"
#include "coll_topo/input/host_match.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace coll_topo::importing {

namespace {

constexpr std::string_view name_map_hint = "; --names FILE with lines GUID \"HOST HCA-1\" says whose adapters they are";

/// Descriptions that firmware has until the host's own software replaces them.
bool names_no_host(std::string_view description) {
    return without_blanks_around(description).empty() ||
           description.find("Mellanox Technologies") != std::string_view::npos ||
           description.find("Omni-Path") != std::string_view::npos || description.starts_with("MT");
}

/// A name that a topology file can have: what it cannot have becomes '-'.
std::string plain_name(std::string_view text) {
    std::string name;
    for (const char letter : text) {
        const bool allowed = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.';
        if (allowed || (!name.empty() && name.back() != '-')) name += allowed ? letter : '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name.substr(0, 200);
}

/// Of "MF0;sw1:MSB7700/U1" the beginning goes.
std::string switch_name(std::string_view description) {
    if (names_no_host(description)) return {};
    return plain_name(description.substr(description.starts_with("MF0;") ? 4 : 0));
}

class Joiner {
public:
    Joiner(const CableList& list, const std::string& file, const HostNaming& naming)
        : list_(list), file_(file), naming_(naming) {
        wiring_.notes = list.notes;
    }

    Expected<Wiring> join() {
        place_.resize(list_.devices.size(), -1);
        name_switches();
        for (std::size_t i = 0; i < list_.devices.size(); ++i) {
            if (list_.devices[i].kind == DeviceKind::adapter) RETURN_IF_ERROR(find_host(static_cast<int>(i)));
        }
        for (const Cable& cable : list_.cables) add_cable(cable);
        if (wiring_.hosts.empty()) return failure("there are no hosts", {file_, 1});
        if (left_out_ > 0) {
            wiring_.notes.push_back({counted(left_out_, "device is", "devices are") +
                                         " no host, such as a router, a gateway or a switch's own port: left out",
                                     {file_}});
        }
        return std::move(wiring_);
    }

private:
    /// Switches keep their names if these differ; others are called by their GUIDs.
    void name_switches() {
        std::unordered_map<std::string, int> uses;
        for (const Device& device : list_.devices) {
            if (device.kind == DeviceKind::network_switch) ++uses[switch_name(described(device).name)];
        }
        std::unordered_set<std::string> taken;
        for (std::size_t i = 0; i < list_.devices.size(); ++i) {
            const Device& device = list_.devices[i];
            if (device.kind == DeviceKind::other) ++left_out_;
            if (device.kind != DeviceKind::network_switch) continue;
            std::string name = switch_name(described(device).name);
            if (name.empty() || uses[name] > 1) name = plain_name(device.id);
            if (name.empty()) name = "switch";
            while (!taken.insert(name).second) name += "-" + std::to_string(i);
            for (const std::string& address : device.addresses)
                wiring_.switch_of_address[plain_address(address)] = name;
            place_[i] = static_cast<int>(wiring_.switches.size());
            wiring_.switches.push_back(std::move(name));
        }
    }

    /// The device with the description that the map gives it.
    Device described(Device device) const {
        for (const std::string& address : device.addresses) {
            const auto given = naming_.name_of_address.find(plain_address(address));
            if (given != naming_.name_of_address.end()) device.name = given->second;
        }
        return device;
    }

    Expected<void> find_host(int index) {
        Device device = described(list_.devices[index]);
        if (naming_.by_guid && names_no_host(device.name) && !device.addresses.empty()) {
            device.name = "guid-" + plain_address(device.addresses.front());
        }
        std::string_view rest = device.name;
        const std::string name(take_word(rest));
        if (naming_.not_hosts.count(name) > 0) {
            ++left_out_;
            return {};
        }
        const SourceLocation where{file_, device.line};
        if (names_no_host(device.name)) {
            return failure("the description " + in_quotes(device.name) + " of " + in_quotes(device.id) +
                               " names no host" + std::string(name_map_hint) + ", --guids takes each for a host",
                           where);
        }
        if (const auto good = check_name({name}); !good) return failure(good.error().message, where);
        const auto [twin, is_new] = line_of_adapter_.try_emplace(
            name + ' ' + std::string(rest) + '\n' + std::to_string(device.only_port), device.line);
        if (!is_new) {
            return failure("two adapters are called " + in_quotes(device.name) + "; the first one is in line " +
                               std::to_string(twin->second) + "; two hosts of one name?" + std::string(name_map_hint),
                           where);
        }
        const auto [host, first] = host_of_name_.try_emplace(name, static_cast<int>(wiring_.hosts.size()));
        if (first) wiring_.hosts.push_back(name);
        place_[index] = host->second;
        auto& addresses = wiring_.addresses[name];
        addresses.insert(addresses.end(), device.addresses.begin(), device.addresses.end());
        return {};
    }

    void add_cable(const Cable& cable) {
        const auto kind = [&](CableEnd end) { return list_.devices[end.device].kind; };
        CableEnd a = cable.a, b = cable.b;
        if (kind(a) == DeviceKind::adapter) std::swap(a, b);
        const int x = place_[a.device], y = place_[b.device];
        if (x < 0 || y < 0 || kind(a) != DeviceKind::network_switch || a.device == b.device) return;
        if (kind(b) == DeviceKind::adapter) {
            add(wiring_.host_cables, host_pairs_, {y, x}, HostCables{y, x, 1, cable.bandwidth});
        } else {
            const auto ends = std::minmax(x, y);
            add(wiring_.switch_cables, switch_pairs_, ends, SwitchCables{ends.first, ends.second, 1, cable.bandwidth});
        }
    }

    using Pairs = std::map<std::pair<int, int>, std::size_t>;
    template <typename Cables>
    static void add(std::vector<Cables>& all, Pairs& pairs, std::pair<int, int> ends, const Cables& one) {
        const auto [place, is_new] = pairs.try_emplace(ends, all.size());
        if (is_new) {
            all.push_back(one);
        } else {
            add_parallel(all[place->second], one);
        }
    }

    const CableList& list_;
    const std::string& file_;
    const HostNaming& naming_;
    Wiring wiring_;
    std::vector<int> place_;  // by device: its switch or host; -1: left out
    std::unordered_map<std::string, int> host_of_name_, line_of_adapter_;
    Pairs host_pairs_, switch_pairs_;
    int left_out_ = 0;
};

}  // namespace

Expected<void> read_name_map(std::string_view text, const std::string& file, HostNaming& naming) {
    ASSIGN_OR_RETURN(const auto checked, checked_source(text, file));
    SourceLines lines(checked, file);
    SourceLine line;
    while (lines.next(line)) {
        std::string_view rest = line.text;
        const std::string_view address = take_word(rest);
        if (address.empty() || address.starts_with('#')) continue;
        const bool quoted = rest.starts_with('"') && rest.find('"', 1) != std::string_view::npos;
        const std::string_view name = quoted ? rest.substr(1, rest.find('"', 1) - 1) : rest.substr(0, rest.find('#'));
        if (plain_address(address).empty() || without_blanks_around(name).empty()) {
            return failure("expected a GUID or MAC, and a name in quotation marks", lines.line(line.number));
        }
        const auto [place, is_new] =
            naming.name_of_address.try_emplace(plain_address(address), without_blanks_around(name));
        if (!is_new) return failure("a second name for " + in_quotes(address), lines.where(address));
    }
    return {};
}

Expected<Wiring> join_hosts(const CableList& list, const std::string& file, const HostNaming& naming) {
    return Joiner(list, file, naming).join();
}

}  // namespace coll_topo::importing
