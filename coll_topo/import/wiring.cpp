// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/wiring.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

namespace coll_topo::importing {

void add_note(std::vector<Error>& notes, std::string message) {
    notes.push_back({std::move(message), {}});
}

Neighbours neighbours_of(const Wiring& wiring) {
    Neighbours neighbours(wiring.switches.size());
    for (std::size_t i = 0; i < wiring.switch_cables.size(); ++i) {
        const SwitchCables& cables = wiring.switch_cables[i];
        neighbours[cables.a].push_back({cables.b, static_cast<int>(i)});
        neighbours[cables.b].push_back({cables.a, static_cast<int>(i)});
    }
    return neighbours;
}

std::vector<int> hosts_of_switches(const Wiring& wiring) {
    std::vector<int> hosts(wiring.switches.size(), 0);
    for (const HostCables& cables : wiring.host_cables) ++hosts[cables.at];
    return hosts;
}

namespace {

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

std::string_view take_digits(std::string_view& text) {
    std::size_t size = 0;
    while (size < text.size() && is_digit(text[size])) ++size;
    std::string_view digits = text.substr(0, size);
    text.remove_prefix(size);
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    return digits;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
    std::string_view x = a, y = b;
    while (!x.empty() && !y.empty()) {
        if (is_digit(x.front()) && is_digit(y.front())) {
            const std::string_view m = take_digits(x), n = take_digits(y);
            if (m.size() != n.size()) return m.size() < n.size();
            if (m != n) return m < n;
        } else {
            if (x.front() != y.front()) return x.front() < y.front();
            x.remove_prefix(1);
            y.remove_prefix(1);
        }
    }
    return x.empty() != y.empty() ? x.empty() : a < b;
}

}  // namespace coll_topo::importing
