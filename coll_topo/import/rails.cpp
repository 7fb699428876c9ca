// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/rails.hpp"

#include "coll_topo/base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

namespace coll_topo::importing {

namespace {

/// By host: the most leaves that one has.
int most_leaves(const Wiring& wiring) {
    std::vector<int> leaves(wiring.hosts.size(), 0);
    for (const HostCables& cables : wiring.host_cables) ++leaves[cables.host];
    return leaves.empty() ? 0 : *std::max_element(leaves.begin(), leaves.end());
}

/// By switch: the first of those that are joined with it by hosts that they share.
std::vector<int> joined_leaves(const Wiring& wiring) {
    std::vector<int> part(wiring.switches.size());
    std::iota(part.begin(), part.end(), 0);
    const auto find = [&part](int index) {
        while (part[index] != index) index = part[index] = part[part[index]];
        return index;
    };
    std::vector<int> first(wiring.hosts.size(), -1);
    for (const HostCables& cables : wiring.host_cables) {
        int& leaf = first[cables.host];
        if (leaf < 0) leaf = cables.at;
        const int a = find(leaf), b = find(cables.at);
        part[std::max(a, b)] = std::min(a, b);
    }
    for (int& index : part) index = find(index);
    return part;
}

/// Cables between the same two ends become one entry.
template <typename Cables, typename Ends>
void add_up(std::vector<Cables>& all, const Ends& ends) {
    std::map<std::pair<int, int>, std::size_t> places;
    std::vector<Cables> sums;
    for (const Cables& cables : all) {
        const auto [place, is_new] = places.try_emplace(ends(cables), sums.size());
        if (is_new) {
            sums.push_back(cables);
        } else {
            add_parallel(sums[place->second], cables);
        }
    }
    all = std::move(sums);
}

void join(Wiring& wiring, const std::vector<int>& part) {
    std::vector<int> place(wiring.switches.size(), -1);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < part.size(); ++i) {
        if (part[i] != static_cast<int>(i)) {
            place[i] = place[part[i]];
            continue;
        }
        place[i] = static_cast<int>(names.size());
        names.push_back(wiring.switches[i]);
    }
    wiring.switches = std::move(names);
    for (HostCables& cables : wiring.host_cables) cables.at = place[cables.at];
    for (SwitchCables& cables : wiring.switch_cables) {
        cables.a = place[cables.a];
        cables.b = place[cables.b];
        if (!wiring.is_directed && cables.a > cables.b) std::swap(cables.a, cables.b);
    }
    std::erase_if(wiring.switch_cables, [](const SwitchCables& cables) { return cables.a == cables.b; });
    add_up(wiring.host_cables, [](const HostCables& cables) { return std::pair(cables.host, cables.at); });
    add_up(wiring.switch_cables, [](const SwitchCables& cables) { return std::pair(cables.a, cables.b); });
}

void keep_first_leaf(Wiring& wiring) {
    std::vector<char> has_leaf(wiring.hosts.size(), 0);
    std::erase_if(wiring.host_cables,
                  [&](const HostCables& cables) { return std::exchange(has_leaf[cables.host], char{1}) != 0; });
}

}  // namespace

void join_rails(Wiring& wiring) {
    const int rails = most_leaves(wiring);
    if (rails < 2) return;
    const std::vector<int> part = joined_leaves(wiring);
    std::vector<int> size(part.size(), 0);
    for (const int first : part) ++size[first];
    const std::string hosts_have = "hosts have cables to up to " + counted(rails, "switch", "switches") + "; ";
    if (*std::max_element(size.begin(), size.end()) > rails) {
        keep_first_leaf(wiring);
        add_note(wiring.notes, hosts_have + "as these differ from host to host, only the first of each is used");
        return;
    }
    join(wiring, part);
    add_note(wiring.notes, hosts_have + "such switches are written as one, with the cables of all; that messages " +
                               "between rails may go a longer way is lost");
}

}  // namespace coll_topo::importing
