// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <mutex>

namespace coll_topo {

/// What takes long to find and never changes: found when anybody first asks for it, in whichever thread, once for all
/// copies.
template <typename Value>
class FoundOnce {
public:
    template <typename Find>
    const Value& get(Find&& find) const {
        std::call_once(found_->once, [&] { found_->value = find(); });
        return found_->value;
    }

private:
    struct Found {
        std::once_flag once;
        Value value;
    };
    std::shared_ptr<Found> found_ = std::make_shared<Found>();
};

}  // namespace coll_topo
