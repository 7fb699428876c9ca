// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/profile/profile.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace coll_topo {

/// All but what belongs to the job as bytes, which ranks of the same build can read.
std::string pack(const Profile& profile);

/// Nothing if the bytes are not what pack() makes.
std::optional<Profile> unpack_profile(std::string_view bytes);

}  // namespace coll_topo
