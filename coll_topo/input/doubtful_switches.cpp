// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/doubtful_switches.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/fabric/switch_links.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

namespace coll_topo {
namespace {

constexpr std::size_t most_remarks = 4;
constexpr int most_compared = 1 << 16;  // switches whose names are compared with a doubtful one

bool is_letter(char character) {
    return std::isalpha(static_cast<unsigned char>(character)) != 0;
}

std::string digits_of(std::string_view name) {
    std::string digits;
    for (const char character : name) {
        if (std::isdigit(static_cast<unsigned char>(character))) digits += character;
    }
    return digits;
}

class Doubts {
public:
    Doubts(const SwitchGraph& graph, std::span<const char* const> statement_of_link)
        : graph_(graph), links_(graph), statement_of_link_(statement_of_link) {}

    bool is_doubtful(int index) const {
        const auto below = links_.down(index);
        if (links_.up_count(index) > 0 || below.empty()) return false;
        const auto same_statement = [&](int link) {
            return statement_of_link_[link] == statement_of_link_[below.front()];
        };
        if (!std::ranges::all_of(below, same_statement)) return false;
        if (!with_letters_swapped(index).empty()) return true;
        return below.size() == 1 && is_odd_one_out(below.front());
    }

    /// The switch that was meant, or nothing.
    std::string_view likely(int index) const {
        const std::string_view swapped = with_letters_swapped(index);
        if (!swapped.empty()) return swapped;
        const std::string_view name = graph_.switches.name(index);
        const std::string digits = digits_of(name);
        std::vector<std::string_view> others;
        for (int other = 0; other < std::min(graph_.switches.size(), most_compared); ++other) {
            if (other == index || links_.down_count(other) == 0) continue;
            if (digits_of(graph_.switches.name(other)) == digits) others.push_back(graph_.switches.name(other));
        }
        return nearest_word(name, others);
    }

private:
    /// Whether another link up from the same switch leads to one with several.
    bool is_odd_one_out(int link) const {
        const auto others = links_.up(graph_.links[link].from);
        return std::ranges::any_of(others, [&](int other) { return links_.down_count(graph_.links[other].to) > 1; });
    }

    /// The name of another switch that has two letters beside each other the other way round; else nothing.
    std::string_view with_letters_swapped(int index) const {
        std::string name(graph_.switches.name(index));
        for (std::size_t i = 1; i < name.size(); ++i) {
            if (name[i] == name[i - 1] || !is_letter(name[i]) || !is_letter(name[i - 1])) continue;
            std::swap(name[i], name[i - 1]);
            const int other = graph_.switches.find(name);
            std::swap(name[i], name[i - 1]);
            // Of the two, the one with more links is not doubtful.
            if (other != NameTable::missing && links_.down_count(other) >= links_.down_count(index)) {
                return graph_.switches.name(other);
            }
        }
        return {};
    }

    const SwitchGraph& graph_;
    SwitchLinks links_;
    std::span<const char* const> statement_of_link_;
};

}  // namespace

std::vector<Error> doubtful_switches(const SwitchGraph& graph, const NameRegister& switches, int first_implied,
                                     std::span<const char* const> statement_of_link) {
    std::vector<Error> remarks;
    if (first_implied == graph.switches.size()) return remarks;
    const Doubts doubts(graph, statement_of_link);
    std::int64_t more = 0;
    for (int index = first_implied; index < graph.switches.size(); ++index) {
        if (!doubts.is_doubtful(index)) continue;
        if (remarks.size() == most_remarks) {
            ++more;
            continue;
        }
        const std::string name(graph.switches.name(index));
        const std::string_view likely = doubts.likely(index);
        remarks.push_back({"switch " + in_quotes(name) + " is named only here and has no SwitchName; " +
                               (likely.empty() ? "" : "did you mean " + in_quotes(likely) + "? ") +
                               "if it is right, SwitchName=" + name + " says so",
                           switches.origin(index).where()});
    }
    if (more > 0) remarks.back().message += "; likewise " + counted(more, "other switch", "other switches");
    return remarks;
}

}  // namespace coll_topo
