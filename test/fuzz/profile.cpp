// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/profile/profile_reader.hpp"

#include "test/fuzz/error_place.hpp"
#include "test/fuzz/readers.hpp"

#include "coll_topo/profile/packed_profile.hpp"
#include "coll_topo/select/rules_file.hpp"
#include "coll_topo/tool/tune/profile_results.hpp"
#include "coll_topo/tool/tune/tuning.hpp"

namespace coll_topo::fuzz {

/// A profile that was read is written as one that reads the same; rules from it can be read.
std::string profile_complaint(std::string_view bytes) {
    const auto profile = tool::parse_profile(bytes, text_name);
    if (!profile) return misplaced(profile.error(), bytes, false);
    const std::string text = profile_json(*profile);
    const auto again = tool::parse_profile(text, text_name);
    if (!again) return "is written as what cannot be read: " + again.error().text() + "\n" + text;
    if (profile_json(*again) != text) return "is written otherwise when it has been read again:\n" + text;
    profile_text(*profile);
    const auto runs = tool::results_of(*profile, text_name);
    const std::string rules =
        tool::tuning_text(tool::tune(runs, "tuned"), runs, "tuned") + tool::worth_measuring(*profile, text_name);
    const auto read = read_rules_text(rules, text_name);
    return read ? "" : "makes rules that cannot be read: " + read.error().text() + "\n" + rules;
}

/// What a peer sends is refused, or packs as it came.
std::string packed_profile_complaint(std::string_view bytes) {
    const auto profile = unpack_profile(bytes);
    if (!profile) return {};
    const auto again = unpack_profile(pack(*profile));
    if (!again) return "packs what cannot be unpacked";
    profile_json(report_of(*again));
    return pack(*again) == pack(*profile) ? "" : "packs otherwise when unpacked";
}

}  // namespace coll_topo::fuzz
