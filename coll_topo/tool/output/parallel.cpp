// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <optional>
#include <thread>
#include <vector>

namespace coll_topo::tool {

int default_workers() {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Expected<void> run_in_parallel(int jobs, int workers, const std::function<Expected<void>(int)>& job) {
    std::atomic<int> next = 0;
    std::atomic<bool> failed = false;
    std::vector<std::optional<Error>> errors(jobs);
    const auto work = [&] {
        for (int index = next++; index < jobs && !failed; index = next++) {
            const auto done = job(index);
            if (done) continue;
            errors[index] = done.error();
            failed = true;
        }
    };
    std::vector<std::future<void>> others;  // their destructors wait, their get() passes exceptions on
    for (int worker = 1; worker < std::min(jobs, workers); ++worker) {
        others.push_back(std::async(std::launch::async, work));
    }
    work();
    for (auto& other : others) other.get();
    for (const auto& error : errors) {
        if (error) return tl::unexpected<Error>(*error);
    }
    return {};
}

}  // namespace coll_topo::tool
