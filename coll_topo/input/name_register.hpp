// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/name_table.hpp"
#include "coll_topo/input/source_text.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coll_topo {

/// Names of one kind while a file is read. It remembers where each comes from, so that the second one of two equal
/// names can say where the first is.
class NameRegister {
public:
    /// `kind` is the word for one of them in messages.
    explicit NameRegister(std::string kind) : kind_(std::move(kind)) {}

    /// Adds a name and gives its index. Fails if it is there, and if there are more than most_names.
    Expected<int> add(std::string_view name, const Located& origin);

    const NameTable& names() const { return names_; }
    NameTable take_names() { return std::move(names_); }

    /// The part of the file that has given a name.
    const Located& origin(int index) const;

private:
    struct Origin {
        int first;  // the names from this one on, up to the next origin
        Located text;
    };

    std::string kind_;
    NameTable names_;
    std::vector<Origin> origins_;
};

}  // namespace coll_topo
