// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/recognition.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/import/rails.hpp"
#include "coll_topo/import/switch_levels.hpp"
#include "coll_topo/import/torus_repair.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cstddef>
#include <utility>

namespace coll_topo::importing {

namespace {

/// Leaves out switches from which no cables lead to a host.
void drop_unused_switches(Wiring& wiring) {
    const Neighbours neighbours = neighbours_of(wiring);
    std::vector<char> used(wiring.switches.size(), 0);
    std::vector<int> reached;
    const auto reach = [&](int index) {
        if (!std::exchange(used[index], char{1})) reached.push_back(index);
    };
    for (const HostCables& cables : wiring.host_cables) reach(cables.at);
    for (std::size_t i = 0; i < reached.size(); ++i) {
        for (const Neighbour& next : neighbours[reached[i]]) reach(next.index);
    }
    if (reached.size() == used.size()) return;
    add_note(wiring.notes, counted(static_cast<long long>(used.size() - reached.size()), "switch", "switches") +
                               " without a way to any host: left out");
    std::vector<int> place(used.size(), -1);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (used[i] == 0) continue;
        place[i] = static_cast<int>(names.size());
        names.push_back(std::move(wiring.switches[i]));
    }
    wiring.switches = std::move(names);
    std::erase_if(wiring.switch_cables, [&](const SwitchCables& cables) { return place[cables.a] < 0; });
    for (HostCables& cables : wiring.host_cables) cables.at = place[cables.at];
    for (SwitchCables& cables : wiring.switch_cables) {
        cables.a = place[cables.a];
        cables.b = place[cables.b];
    }
}

/// A host whose adapters all lead to nothing that is known.
void drop_lone_hosts(Wiring& wiring) {
    std::vector<char> has_cable(wiring.hosts.size(), 0);
    for (const HostCables& cables : wiring.host_cables) has_cable[cables.host] = 1;
    std::vector<int> place(wiring.hosts.size(), -1);
    std::vector<std::string> kept, lone;
    for (std::size_t i = 0; i < wiring.hosts.size(); ++i) {
        if (has_cable[i] != 0) place[i] = static_cast<int>(kept.size());
        (has_cable[i] != 0 ? kept : lone).push_back(std::move(wiring.hosts[i]));
    }
    wiring.hosts = std::move(kept);
    for (HostCables& cables : wiring.host_cables) cables.host = place[cables.host];
    if (lone.empty()) return;
    add_note(wiring.notes, counted(static_cast<long long>(lone.size()), "host", "hosts") +
                               " without a cable to a switch: left out, the first is " + lone.front());
}

/// Of the tori that the wiring is, that whose dimensions have the most equal cables: where a ring of 4 could as well be
/// two dimensions of 2, numbers of cables tell which is meant: those of `known`, which may lack some.
std::optional<SwitchTorus> most_equal_torus(const Wiring& wiring, const Wiring& known, const TorusWanted& wanted) {
    constexpr int most_trials = 1000;
    std::optional<SwitchTorus> best;
    int least = 0, trials = 0;
    find_torus(wiring, [&](const SwitchTorus& torus) {
        if (!wanted(torus)) return false;
        const int differences = cable_differences(known, torus);
        if (!best || differences < least) {
            best = torus;
            least = differences;
        }
        return least == 0 || ++trials == most_trials;
    });
    return best;
}

std::string names_of(const Wiring& wiring, const std::vector<int>& switches) {
    std::string names;
    for (const int index : switches) names += (names.empty() ? "" : ", ") + wiring.switches[index];
    return names;
}

/// The torus that has lost a switch or cables, with a note.
std::optional<SwitchTorus> torus_with_losses(Wiring& wiring, const TorusWanted& wanted) {
    auto found =
        find_torus_with_losses(wiring, [&](const Wiring& whole) { return most_equal_torus(whole, wiring, wanted); });
    if (!found) return std::nullopt;
    if (!found->around_lost_switch.empty()) {
        add_note(wiring.notes, "a switch is missing between " + names_of(wiring, found->around_lost_switch) +
                                   "; the torus is written with an empty cell there, so what goes round it is thought "
                                   "faster than it is");
        wiring.switches.emplace_back();
        return std::move(found->torus);
    }
    std::string pairs;
    for (const auto& [a, b] : found->gaps) {
        pairs += (pairs.empty() ? "" : ", ") + wiring.switches[a] + " and " + wiring.switches[b];
    }
    add_note(wiring.notes, "no cable is left between " + pairs +
                               "; the torus is written without the gap, so what passes "
                               "there is thought faster than it is");
    return std::move(found->torus);
}

std::optional<SwitchTorus> torus_of(Wiring& wiring) {
    if (has_plain_levels(wiring)) return std::nullopt;
    const auto any = [](const SwitchTorus&) { return true; };
    auto found = most_equal_torus(wiring, wiring, any);
    if (!found) found = torus_with_losses(wiring, any);
    return found ? std::optional(largest_first(*found)) : std::nullopt;
}

Expected<SwitchTorus> torus_of(Wiring& wiring, const GivenTorus& given) {
    const std::vector<SeedCable> seeds = seed_cables(wiring, given);
    const auto wanted = [&](const SwitchTorus& torus) { return as_given(torus, given, seeds).has_value(); };
    auto found = most_equal_torus(wiring, wiring, wanted);
    if (!found) found = torus_with_losses(wiring, wanted);
    if (found) return *as_given(*found, given, seeds);
    std::string remark = "; more than a switch or three cables may be missing";
    if (const auto other = most_equal_torus(wiring, wiring, [](const SwitchTorus&) { return true; })) {
        const SwitchTorus sorted = largest_first(*other);
        remark = as_given(*other, given, {}) ? " in which the seeds lead along their dimensions"
                                             : ", but of " + shape_text(sorted.sizes, sorted.wrapped);
    }
    return failure("the switches are no torus or mesh of " + shape_text(given.sizes, given.wrapped) + remark,
                   given.where);
}

}  // namespace

double host_bandwidth(const Wiring& wiring, std::vector<Error>& notes) {
    double least = 0, most = 0;
    for (const HostCables& cables : wiring.host_cables) {
        const double all = cables.bandwidth * cables.count;
        if (all == 0) continue;
        least = least == 0 ? all : std::min(least, all);
        most = std::max(most, all);
    }
    if (least < most) {
        add_note(notes, fmt::format("cables of hosts carry {:.4g} to {:.4g} GB/s; HostLink has the least", least / 1e9,
                                    most / 1e9));
    }
    return least;
}

Expected<RecognisedNetwork> recognise(Wiring wiring, const std::optional<GivenTorus>& given) {
    drop_lone_hosts(wiring);
    if (wiring.hosts.empty()) return failure("no host has a cable to a switch");
    join_rails(wiring);
    drop_unused_switches(wiring);
    std::optional<SwitchTorus> torus;
    if (given) {
        ASSIGN_OR_RETURN(torus, torus_of(wiring, *given));
    } else if (!wiring.is_directed) {
        torus = torus_of(wiring);
    }
    if (!torus) direct_upwards(wiring);
    std::vector<Error> notes = std::move(wiring.notes);
    Fabric fabric = torus ? fabric_of_torus(wiring, *torus, notes) : fabric_of_switches(wiring, notes);
    return RecognisedNetwork{std::move(fabric), std::move(notes), std::move(wiring.addresses)};
}

}  // namespace coll_topo::importing
