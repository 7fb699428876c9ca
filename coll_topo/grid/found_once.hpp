// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
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

/// The same for each key.
template <typename Key, typename Value>
class FoundOnceForKey {
public:
    /// Valid as long as any copy lives.
    template <typename Find>
    const Value& get(const Key& key, Find&& find) const {
        const std::lock_guard lock(found_->mutex);
        const auto known = found_->values.find(key);
        return known != found_->values.end() ? known->second : found_->values.emplace(key, find()).first->second;
    }

private:
    struct Found {
        std::mutex mutex;
        std::map<Key, Value> values;
    };
    std::shared_ptr<Found> found_ = std::make_shared<Found>();
};

}  // namespace coll_topo
