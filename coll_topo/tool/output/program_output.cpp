// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/program_output.hpp"

#include "coll_topo/base/return_if_error.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
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

}  // namespace

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
