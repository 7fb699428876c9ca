// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/import/given_torus.hpp"
#include "coll_topo/import/source_lines.hpp"
#include "coll_topo/input/host_match.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/wording.hpp"

#include <array>

namespace coll_topo::importing {

namespace {

class Reader {
public:
    Reader(std::string_view text, const std::string& file) : lines_(text, file) {}

    Expected<GivenTorus> read() {
        SourceLine line;
        while (lines_.next(line)) {
            std::string_view rest = line.text;
            const std::string_view word = take_word(rest);
            const bool is_torus = word == "torus";
            const bool is_seed = word.size() == 7 && word.ends_with("_link") && word[0] >= 'x' && word[0] <= 'z' &&
                                 (word[1] == 'p' || word[1] == 'm');
            if (is_torus || word == "mesh") RETURN_IF_ERROR(read_sizes(rest, is_torus, lines_.line(line.number)));
            if (is_seed) RETURN_IF_ERROR(read_seed(word, rest, lines_.line(line.number)));
        }
        if (torus_.where.line > 0) return std::move(torus_);
        return no_torus({lines_.file(), 1});
    }

private:
    static tl::unexpected<Error> no_torus(const SourceLocation& where) {
        return failure("no line begins with torus or mesh; expected torus-2QoS.conf of OpenSM", where);
    }

    /// "torus 4 4M 2".
    Expected<void> read_sizes(std::string_view rest, bool is_torus, const SourceLocation& where) {
        torus_ = {};
        torus_.where = where;
        for (std::size_t& dimension : dimension_of_axis_) {
            std::string_view word = take_word(rest);
            bool wrapped = is_torus;
            const std::size_t letter = word.find_first_of("mMtT");
            if (letter != std::string_view::npos && letter + 1 == word.size()) {
                wrapped = same_word(word.substr(letter), "t");
                word.remove_suffix(1);
            }
            const auto size = parse_integer({word}, 1, 1 << 20, "the size of a dimension");
            if (!size) return failure("expected three sizes, such as torus 4 4 2: " + size.error().message, where);
            dimension = *size == 1 ? none : torus_.sizes.size();
            if (*size == 1) continue;
            torus_.sizes.push_back(static_cast<int>(*size));
            torus_.wrapped.push_back(wrapped);
        }
        return {};
    }

    /// "xp_link 0x2000 0x2001": that cable leads in the positive direction of x, an m instead of the p in the other.
    Expected<void> read_seed(std::string_view word, std::string_view rest, const SourceLocation& where) {
        if (torus_.where.line == 0) return no_torus(where);
        TorusSeed seed;
        seed.from = take_word(rest);
        seed.to = take_word(rest);
        if (plain_address(seed.from).empty() || plain_address(seed.to).empty() || seed.from == seed.to) {
            return failure("expected the GUIDs of two switches, such as xp_link 0x2000 0x2001", where);
        }
        seed.dimension = dimension_of_axis_[static_cast<std::size_t>(word[0] - 'x')];
        if (seed.dimension == none) {
            return failure(in_quotes(word) + ": this dimension has one switch, so no cable leads along it", where);
        }
        seed.is_positive = word[1] == 'p';
        seed.where = where;
        torus_.seeds.push_back(std::move(seed));
        return {};
    }

    static constexpr std::size_t none = 3;
    SourceLines lines_;
    GivenTorus torus_;
    std::array<std::size_t, 3> dimension_of_axis_ = {none, none, none};  // of GivenTorus
};

}  // namespace

Expected<GivenTorus> read_torus_conf(std::string_view text, const std::string& file) {
    ASSIGN_OR_RETURN(const auto checked, checked_source(text, file));
    return Reader(checked, file).read();
}

}  // namespace coll_topo::importing
