// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace coll_topo {

/// A place in a file; `line` and `column` count from 1, 0 means unknown or not from a file.
struct SourceLocation {
    std::string file;
    int line = 0;
    int column = 0;

    /// "file:line:column", leaving out what is not known; empty if nothing is.
    std::string text() const;
};

/// What went wrong, where, and what to do. Errors of the core are values; nothing is thrown across a layer.
struct Error {
    std::string message;
    SourceLocation where = {};

    /// "file:line:column: message", leaving out what is not known.
    std::string text() const;
};

template <typename Value>
using Expected = tl::expected<Value, Error>;

/// An error, by default without a place in a file.
inline tl::unexpected<Error> failure(std::string message, SourceLocation where = {}) {
    return tl::unexpected<Error>(Error{std::move(message), std::move(where)});
}

}  // namespace coll_topo
