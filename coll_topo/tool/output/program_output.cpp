// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/program_output.hpp"

#include "coll_topo/base/return_if_error.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

extern char** environ;

namespace coll_topo::tool {

namespace {

/// Starts the program with `output` as its standard output; gives the number of its process.
Expected<pid_t> start(const std::vector<std::string>& command, int output) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return failure("cannot start " + command[0] + ": " + std::strerror(error));
    return child;
}

std::string read_all(int pipe) {
    std::string text;
    std::array<char, 4096> part;
    for (;;) {
        const ssize_t count = read(pipe, part.data(), part.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return text;
        text.append(part.data(), static_cast<std::size_t>(count));
    }
}

Expected<void> wait_for(pid_t child, const std::string& name) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return failure(name + " got lost");
    }
    if (WIFSIGNALED(status)) return failure(name + " ended with the signal \"" + strsignal(WTERMSIG(status)) + "\"");
    if (WEXITSTATUS(status) == 0) return {};
    return failure(name + " ended with exit code " + std::to_string(WEXITSTATUS(status)));
}

// What a handler of signals may touch.
std::atomic<int> signal_came = 0;
std::atomic<pid_t> watched = 0;

constexpr std::array end_signals = {SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, end_signals.size()> before_requests;

/// What a terminal sends (SI_KERNEL), all processes there get.
void pass_on(int number, siginfo_t* info, void*) {
    signal_came = number;
    if (const pid_t child = watched; child > 0 && info->si_code != SI_KERNEL) kill(child, number);
}

/// Reads what comes until the pipe ends, and ends the child when it is time.
class Watch {
public:
    Watch(pid_t child, int pipe, const WatchLimits& limits) : child_(child), pipe_(pipe), limits_(limits) {}

    std::string read_all() {
        for (;;) {
            look_at_clock();
            pollfd waiting{pipe_, POLLIN, 0};
            if (poll(&waiting, 1, 200) <= 0) continue;
            std::array<char, 65536> part;
            const ssize_t count = read(pipe_, part.data(), part.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return std::move(text_);
            text_.append(part.data(), static_cast<std::size_t>(count));
            last_output_ = now();
            tell_lines();
        }
    }
    /// Why it was ended here; empty if it was not.
    const std::string& why_ended() const { return why_ended_; }

private:
    using Clock = std::chrono::steady_clock;

    double now() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    void look_at_clock() {
        const double seconds = now();
        const bool late = limits_.seconds > 0 && seconds > limits_.seconds;
        const bool silent = limits_.seconds_of_silence > 0 && seconds > last_output_ + limits_.seconds_of_silence;
        if (!told_at_ && (late || silent)) {
            why_ended_ = late ? "did not end within " + std::to_string(static_cast<int>(limits_.seconds)) + " s"
                              : "wrote nothing for " + std::to_string(static_cast<int>(limits_.seconds_of_silence)) +
                                    " s: some host may not answer";
            kill(child_, SIGTERM);
        }
        if (!told_at_ && (!why_ended_.empty() || signal_came != 0)) told_at_ = seconds;
        if (told_at_ && seconds > *told_at_ + patience) kill(child_, SIGKILL);
    }

    void tell_lines() {
        if (!limits_.on_line) return;
        for (auto end = text_.find('\n', told_); end != std::string::npos; end = text_.find('\n', told_)) {
            limits_.on_line(text_.substr(told_, end - told_));
            told_ = end + 1;
        }
    }

    static constexpr double patience = 15;
    pid_t child_;
    int pipe_;
    const WatchLimits& limits_;
    Clock::time_point begin_ = Clock::now();
    std::optional<double> told_at_;  // that it shall end: seconds from the beginning
    double last_output_ = 0;
    std::string why_ended_;
    std::string text_;
    std::size_t told_ = 0;
};

}  // namespace

EndRequests::EndRequests() {
    signal_came = 0;
    struct sigaction action {};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO;
    for (std::size_t i = 0; i < end_signals.size(); ++i) sigaction(end_signals[i], &action, &before_requests[i]);
}

EndRequests::~EndRequests() {
    for (std::size_t i = 0; i < end_signals.size(); ++i) sigaction(end_signals[i], &before_requests[i], nullptr);
}

bool EndRequests::came() {
    return signal_came != 0;
}

std::string EndRequests::name() {
    return signal_came == 0 ? "" : strsignal(signal_came);
}

Expected<ProgramOutput> watch_program(const std::vector<std::string>& command, const WatchLimits& limits) {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return failure(std::string("no pipe: ") + std::strerror(errno));
    const auto child = start(command, ends[1]);
    close(ends[1]);
    if (!child) {
        close(ends[0]);
        return tl::unexpected<Error>(child.error());
    }
    watched = *child;
    if (signal_came != 0) kill(*child, signal_came);
    Watch watch(*child, ends[0], limits);
    std::string text = watch.read_all();
    close(ends[0]);
    auto end = wait_for(*child, command[0]);
    watched = 0;
    if (!watch.why_ended().empty()) end = failure(command[0] + " " + watch.why_ended());
    return ProgramOutput{std::move(text), std::move(end)};
}

Expected<ProgramOutput> output_and_end_of(const std::vector<std::string>& command) {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return failure(std::string("no pipe: ") + std::strerror(errno));
    const auto child = start(command, ends[1]);
    close(ends[1]);
    std::string text;
    if (child) text = read_all(ends[0]);
    close(ends[0]);
    RETURN_IF_ERROR(child);
    return ProgramOutput{std::move(text), wait_for(*child, command[0])};
}

Expected<std::string> output_of(const std::vector<std::string>& command) {
    ASSIGN_OR_RETURN(ProgramOutput output, output_and_end_of(command));
    RETURN_IF_ERROR(output.end);
    return std::move(output.text);
}

}  // namespace coll_topo::tool
