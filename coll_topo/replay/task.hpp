// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/replay/frame_pool.hpp"

#include <coroutine>
#include <cstddef>
#include <utility>

namespace coll_topo::replay {

/// What a function returns that stops where it waits and goes on later. It begins when another one awaits it, which
/// then goes on when it has ended, or when its handle is resumed. Such a function is a member of a class that has
/// frames(), a FramePool.
class [[nodiscard]] Task {
public:
    struct promise_type {  // by these names the language finds it and its functions
        std::coroutine_handle<> caller = std::noop_coroutine();

        struct ReturnToCaller {
            bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) const noexcept {
                return ended.promise().caller;
            }
            void await_resume() const noexcept {}
        };

        template <typename Member, typename... Arguments>
        static void* operator new(std::size_t bytes, Member& member, const Arguments&...) {
            return member.frames().allocate(bytes);
        }
        static void operator delete(void* frame) { FramePool::release(frame); }

        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        ReturnToCaller final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const { throw; }
    };

    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&&) = delete;
    ~Task() {
        if (handle_) handle_.destroy();
    }

    std::coroutine_handle<> handle() const { return handle_; }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) const noexcept {
        handle_.promise().caller = caller;
        return handle_;
    }
    void await_resume() const noexcept {}

private:
    explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

    std::coroutine_handle<promise_type> handle_;
};

}  // namespace coll_topo::replay
