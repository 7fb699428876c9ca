// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/torus.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace coll_topo::test {

/// The messages on each link of a torus, counted on every link of every route, one by one.
class OneByOne {
public:
    explicit OneByOne(const Torus& torus) : torus_(torus) {}

    void add(std::int64_t from, std::int64_t to) {
        for (const std::int64_t link : route(from, to)) ++messages_[link];
    }
    int most(std::int64_t from, std::int64_t to) {
        int most = 0;
        for (const std::int64_t link : route(from, to)) most = std::max(most, messages_[link]);
        return most;
    }
    std::vector<std::int64_t> route(std::int64_t from, std::int64_t to) const {
        std::vector<std::int64_t> links;
        torus_.route(from, to, links);
        return links;
    }

private:
    const Torus& torus_;
    std::map<std::int64_t, int> messages_;  // by link
};

}  // namespace coll_topo::test
