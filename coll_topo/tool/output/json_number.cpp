// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/json_number.hpp"

#include "coll_topo/base/text.hpp"

#include <charconv>
#include <string_view>
#include <system_error>

namespace coll_topo::tool {

std::string shape_of(const nlohmann::json& grid) {
    std::string shape = grid.at("shape").get<std::string>();
    bool right = shape != "";
    for (const std::string_view size : split(shape, 'x')) {
        int value = 0;
        const auto [rest, error] = std::from_chars(size.data(), size.data() + size.size(), value);
        right = right && error == std::errc() && rest == size.data() + size.size() && size[0] != '0' && value > 1;
    }
    if (!right && shape != "1") throw std::out_of_range("\"shape\" must be sizes of axes, such as 4x4");
    return shape;
}

}  // namespace coll_topo::tool
