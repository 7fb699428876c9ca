// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/slurm_hostlist.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <array>

namespace coll_topo::importing {

namespace {

/// Twice what Slurm is made for, and each may be named more than once; a list of a few characters can name millions.
constexpr std::int64_t most_nodes = std::int64_t{1} << 17;

constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

}  // namespace

std::optional<int> coordinate_of_digit(char digit) {
    const std::size_t value = digits.find(digit);
    return value == std::string_view::npos ? std::nullopt : std::optional(static_cast<int>(value));
}

Expected<void> HostlistReader::add(std::string_view name, std::vector<std::string>& names) {
    if (++total_ > most_nodes) return failure("more than " + std::to_string(most_nodes) + " names of nodes");
    names.emplace_back(name);
    return {};
}

/// "000x133", or "000", which is a box of one.
Expected<void> HostlistReader::add_box(std::string_view stem, std::string_view box, std::vector<std::string>& names) {
    std::array<int, 6> corners = {};  // the lower one, then the upper one
    const bool has_form = box.size() == 3 || (box.size() == 7 && box[3] == 'x');
    bool is_box = has_form;
    for (std::size_t i = 0; is_box && i < 6; ++i) {
        const auto coordinate = coordinate_of_digit(box[i < 3 || box.size() == 3 ? i % 3 : i + 1]);
        is_box = coordinate && (i < 3 || *coordinate >= corners[i - 3]);
        corners[i] = coordinate.value_or(0);
    }
    if (!is_box) return failure("expected corners such as 000x133, found " + in_quotes(box));
    const auto [x0, y0, z0, x1, y1, z1] = corners;
    for (int x = x0; x <= x1; ++x) {
        for (int y = y0; y <= y1; ++y) {
            for (int z = z0; z <= z1; ++z) {
                RETURN_IF_ERROR(add(std::string(stem) + digits[x] + digits[y] + digits[z], names));
            }
        }
    }
    return {};
}

Expected<std::vector<std::string>> HostlistReader::read(std::string_view hostlist, const SourceLocation& where) {
    std::vector<std::string> names;
    if (hostlist.empty()) return names;
    const std::size_t bracket = std::min(hostlist.find('['), hostlist.size());
    Expected<void> outcome;
    if (hostlist.ends_with(']') && hostlist.find('x', bracket) != std::string_view::npos) {
        const std::string_view stem = hostlist.substr(0, bracket);
        outcome = check_name({stem});
        for (const Located& box : split({hostlist.substr(bracket + 1, hostlist.size() - bracket - 2)}, ',')) {
            if (outcome) outcome = add_box(stem, box.text, names);
        }
    } else {
        outcome = for_each_name({hostlist}, [&](std::string_view name, const Located&) { return add(name, names); });
    }
    if (!outcome) return failure(outcome.error().message, where);
    return names;
}

}  // namespace coll_topo::importing
