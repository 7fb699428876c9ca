// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/child_process.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>

namespace coll_topo::simulate {
namespace {

// What the child writes: any number of shares of progress, each >= 0, then this, the number of results, the results.
constexpr double results_follow = -1;

bool write_all(int pipe, const void* data, std::size_t size) {
    const char* next = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t written = write(pipe, next, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        next += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

bool read_all(int pipe, void* data, std::size_t size) {
    char* next = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t count = read(pipe, next, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        next += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

/// A parent that is killed cannot end its child, which may have minutes to go.
void end_with([[maybe_unused]] pid_t parent) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
#endif
}

[[noreturn]] void work_and_exit(int pipe, const std::function<std::vector<double>(const Progress&)>& work) {
    bool delivered = false;
    try {
        const auto results = work([pipe](double share) { write_all(pipe, &share, sizeof share); });
        const std::array<double, 2> header = {results_follow, static_cast<double>(results.size())};
        delivered = write_all(pipe, header.data(), sizeof header) &&
                    write_all(pipe, results.data(), results.size() * sizeof(double));
    } catch (const std::exception&) {
    }
    // Not exit(): what the parent has registered to be done at its end is not ours to do.
    _exit(delivered ? 0 : 1);
}

bool receive(int pipe, const Progress& progress, std::vector<double>& results) {
    double number = 0;
    while (read_all(pipe, &number, sizeof number)) {
        if (number >= 0) {
            if (progress) progress(number);
            continue;
        }
        if (!read_all(pipe, &number, sizeof number)) return false;
        results.resize(static_cast<std::size_t>(number));
        return read_all(pipe, results.data(), results.size() * sizeof(double));
    }
    return false;
}

std::string end_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return "got lost";
    }
    if (WIFSIGNALED(status)) return std::string("ended with the signal \"") + strsignal(WTERMSIG(status)) + "\"";
    return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Expected<std::vector<double>> compute_in_child(const char* what,
                                               const std::function<std::vector<double>(const Progress&)>& work,
                                               const Progress& progress) {
    // One at a time: a child that inherited the writing end of another's pipe would keep it open.
    static std::mutex forking;
    std::unique_lock lock(forking);
    std::array<int, 2> ends;
    if (pipe(ends.data()) != 0) return failure(std::string(what) + ": no pipe: " + std::strerror(errno));
    std::fflush(nullptr);  // or both processes would write what is buffered
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        end_with(parent);
        close(ends[0]);
        work_and_exit(ends[1], work);
    }
    const int fork_error = errno;
    close(ends[1]);
    lock.unlock();
    if (child < 0) {
        close(ends[0]);
        return failure(std::string(what) + ": no process: " + std::strerror(fork_error));
    }
    std::vector<double> results;
    const bool received = receive(ends[0], progress, results);
    close(ends[0]);
    const std::string end = end_of(child);
    if (!received) return failure(std::string(what) + ": its process " + end + " before it was done");
    return results;
}

}  // namespace coll_topo::simulate
