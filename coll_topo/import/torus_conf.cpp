// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/import/import.hpp"
#include "coll_topo/import/source_lines.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/wording.hpp"

namespace coll_topo::importing {

namespace {

/// "torus 4 4M 2": the form of torus-2QoS.conf(5) of OpenSM.
Expected<GivenTorus> read_dimensions(std::string_view rest, bool is_torus, const SourceLocation& where) {
    GivenTorus torus;
    torus.where = where;
    for (int dimension = 0; dimension < 3; ++dimension) {
        std::string_view word = take_word(rest);
        bool wrapped = is_torus;
        const std::size_t letter = word.find_first_of("mMtT");
        if (letter != std::string_view::npos && letter + 1 == word.size()) {
            wrapped = same_word(word.substr(letter), "t");
            word.remove_suffix(1);
        }
        const auto size = parse_integer({word}, 1, 1 << 20, "the size of a dimension");
        if (!size) return failure("expected three sizes, such as torus 4 4 2: " + size.error().message, where);
        if (*size == 1) continue;
        torus.sizes.push_back(static_cast<int>(*size));
        torus.wrapped.push_back(wrapped);
    }
    return torus;
}

}  // namespace

Expected<GivenTorus> read_torus_conf(std::string_view text, const std::string& file) {
    ASSIGN_OR_RETURN(const auto checked, checked_source(text, file));
    SourceLines lines(checked, file);
    SourceLine line;
    while (lines.next(line)) {
        std::string_view rest = line.text;
        const std::string_view word = take_word(rest);
        if (word == "torus" || word == "mesh") {
            return read_dimensions(rest, word == "torus", lines.line(line.number));
        }
    }
    return failure("no line begins with torus or mesh; expected torus-2QoS.conf of OpenSM", {file, 1});
}

}  // namespace coll_topo::importing
