// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/progress.hpp"

#include <unistd.h>
#include <cstdio>
#include <utility>

namespace coll_topo::tool {

namespace {
constexpr auto before_first = std::chrono::seconds(2);
constexpr auto between = std::chrono::milliseconds(200);
}  // namespace

Progress::Progress(std::string what, std::int64_t total)
    : what_(std::move(what)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      next_(std::chrono::steady_clock::now() + before_first) {}

Progress::~Progress() {
    if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::int64_t done) {
    if (!terminal_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + between;
    shown_ = true;
    std::fprintf(stderr, "\r%s: %lld of %lld\033[K", what_.c_str(), static_cast<long long>(done),
                 static_cast<long long>(total_));
    std::fflush(stderr);
}

}  // namespace coll_topo::tool
