// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/input/source_text.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo {

/// More names than this in one hostlist are refused before any is made: a slip in a range must not fill the memory.
inline constexpr std::int64_t most_names = std::int64_t{1} << 20;

/// What to do with a name; `item` is the part of the list, between commas, that it comes from.
using NameVisitor = std::function<Expected<void>(std::string_view name, const Located& item)>;

/// Which characters a name has.
enum class NameForm {
    plain,             ///< letters, digits, '-', '_', '.' and ':'
    with_coordinates,  ///< also commas in parentheses, as in `P(0,1)`: switches of generated fat trees
};

/// Gives the names of a hostlist as Slurm writes them, in order: names and ranges with commas between, any number of
/// brackets in a name, as in `n[001-016,020]` and `rack[1-4]n[01-32]` (the last bracket runs fastest). A range has as
/// many digits as its first number is written with. Fails on what is not a hostlist, and with the first failure of
/// `visit`.
Expected<void> for_each_name(const Located& list, const NameVisitor& visit, NameForm form = NameForm::plain);

/// A hostlist of names in their order, ranges where numbers follow each other: "n[00-07],x". for_each_name() gives the
/// names back if they are such as check_name() allows.
std::string hostlist_text(const std::vector<std::string>& names);

/// Checks a single name, without brackets and commas.
Expected<void> check_name(const Located& name);

}  // namespace coll_topo
