// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace coll_topo::test {

/// Calls `body` in each rounding mode, and where there is SSE with subnormals flushed to zero, with the name of that.
/// The environment is as before afterwards.
void in_each_environment(const std::function<void(const std::string& environment)>& body);

}  // namespace coll_topo::test
