// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/mpi_run/component.hpp"
#include "coll_topo/mpi_run/operation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coll_topo::bench {

enum class Format { text, csv, json };

/// What the user asks for.
struct Options {
    std::vector<const Operation*> collectives;
    std::vector<std::int64_t> sizes;  ///< bytes
    std::vector<ComponentName> components;
    int repetitions = 21;
    int back_to_back = 1;
    double seconds = 10;       ///< most for one collective at one size, all components together
    double give_up = 0;        ///< forced algorithms expected to take so many times as long as the best; 0: none
    double quiet_seconds = 5;  ///< most to wait for a quiet machine before each of these
    bool overlap = false;      ///< what computation hides of nonblocking calls, instead of times of blocking ones
    std::vector<int> tests;    ///< calls of MPI_Test during the computation
    int root = 0;
    bool in_place = false;
    std::string topology;  ///< file; empty: the one that coll_topo uses
    Format format = Format::text;
    std::string output;  ///< file; empty: standard output
    std::string svg;     ///< file; empty: no plot
    bool progress = false;
    std::string command;  ///< as given, words in quotes where they need them
};

/// Reads the command line. With --help or --version there are no options, but a text to show.
struct CommandLine {
    std::optional<Options> options;
    std::string text;
};
Expected<CommandLine> parse_command_line(int argc, const char* const* argv);

}  // namespace coll_topo::bench
