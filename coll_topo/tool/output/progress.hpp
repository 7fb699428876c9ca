// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace coll_topo::tool {

/// Tells a person at a terminal how far a long command is: one line on standard error, from the second second on, gone
/// at the end. Silent if standard error is no terminal.
class Progress {
public:
    /// `what` is done in `total` parts.
    Progress(std::string what, std::int64_t total);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// `done` parts are done.
    void update(std::int64_t done);

private:
    std::string what_;
    std::int64_t total_;
    bool terminal_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point next_;
};

}  // namespace coll_topo::tool
