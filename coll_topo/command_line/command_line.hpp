// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

/// Command lines, described by plain tables. Only command_line.cpp includes the library that parses them, which takes
/// longer to compile than most programs.
namespace coll_topo::command_line {

/// Where the value of an option goes; bool: a flag without value. A function gets the word.
using Target = std::variant<bool*, int*, std::uint64_t*, double*, std::string*, std::vector<std::string>*,
                            std::vector<double>*, std::function<void(const std::string&)>>;

/// Values that an option may have.
struct OneOf {
    std::vector<std::string> words;
};
struct Between {
    double least, most;
};
enum class Sign { positive, not_negative };
using Limit = std::variant<std::monostate, OneOf, Between, Sign>;

struct Details {
    bool required = false;
    Limit limit = {};
    bool default_in_help = false;
    int count = 0;  ///< of the values of a list, with commas between; 0: any number of words
};

struct Option {
    std::string name;         ///< "--ranks"; without dashes that of a positional argument, "FILE"
    std::string placeholder;  ///< of the value in the help; empty: named by its type, "TEXT"
    std::string help;
    Target target;
    Details details = {};
};

/// A command of a program, such as the "check" of "coll-topo check".
struct Subcommand {
    std::string name;
    std::string description;
    std::vector<Option> options;
    std::vector<std::string> examples = {};  ///< whole command lines; the program's help has the first
};

/// A program either has commands, of which the user must give one, or options of its own.
struct Usage {
    std::string name;
    std::string description;
    std::string version;  ///< what --version prints
    std::string footer;   ///< below the help of the program; its commands have their examples there
    std::vector<Option> options = {};
    std::vector<Subcommand> commands = {};
};

/// What the user asked for.
struct Parsed {
    std::string text;  ///< the help or version to print; empty: to run
    int command = -1;  ///< the index in Usage::commands
};

/// Reads the command line into the targets of the options; fails with what is wrong with it.
Expected<Parsed> read(const Usage& usage, int argc, const char* const* argv);

/// What to print below such a failure.
inline constexpr const char* hint = "Run with --help for more information.";

}  // namespace coll_topo::command_line
