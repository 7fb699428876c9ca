// SPDX-License-Identifier: BSD-3-Clause
// The headers of the standard library and of tl::expected that cost each unit of the core half a second, compiled once.
// Each source still includes what it uses: --disable-precompiled-headers builds without this.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
