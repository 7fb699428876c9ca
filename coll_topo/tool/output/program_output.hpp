// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <functional>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// Runs a program, found in PATH, with its arguments, and returns what it writes to standard output. Its standard error
/// is that of this process. Fails if it cannot be started, or does not end with status 0.
Expected<std::string> output_of(const std::vector<std::string>& command);

/// What a program has written to standard output, and how it ended.
struct ProgramOutput {
    std::string text;
    Expected<void> end;  ///< an error if not with status 0
};

/// The same for a program whose output counts even if it ends otherwise. Fails if it cannot be started.
Expected<ProgramOutput> output_and_end_of(const std::vector<std::string>& command);

/// While there is one, signals that ask this process to end (SIGINT, SIGTERM, SIGHUP) do not end it: they are passed on
/// to the program that watch_program() runs, and kept in mind.
class EndRequests {
public:
    EndRequests();
    EndRequests(const EndRequests&) = delete;
    EndRequests& operator=(const EndRequests&) = delete;
    ~EndRequests();

    static bool came();
    static std::string name();  ///< of the last signal, for people
};

struct WatchLimits {
    double seconds = 0;                                    ///< after which the program is ended; 0: none
    double seconds_of_silence = 0;                         ///< without any output, likewise
    std::function<void(const std::string&)> on_line = {};  ///< called with each line as it comes
};

/// Runs a program as output_and_end_of() does, and ends it at the limit, or when this process is asked to end: kindly,
/// and if it has not ended 15 s later, by force.
Expected<ProgramOutput> watch_program(const std::vector<std::string>& command, const WatchLimits& limits);

}  // namespace coll_topo::tool
