// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/profile/profile_report.hpp"

#include <algorithm>

namespace coll_topo {

ProfileReport report_of(const Profile& profile) {
    ProfileReport report{profile.job, profile.communicators, {}};
    for (const ProfileRow& row : profile.rows) {
        report.lines.push_back({row.key, row.calls, row.rank_calls, row.first_calls, row.first_seconds, row.timed,
                                row.mean_bytes(), row.total(), row.waiting(), row.median(), row.transfer(),
                                row.prediction(), row.passing_one()});
    }
    std::ranges::sort(report.lines, [](const ProfileLine& one, const ProfileLine& other) {
        const double first = one.total.value_or(0), second = other.total.value_or(0);
        return first != second ? first > second : one.key < other.key;
    });
    return report;
}

std::uint64_t least_bytes_of(int size_class) {
    return size_class == 0 ? 0 : std::uint64_t{1} << (size_class - 1);
}

std::uint64_t most_bytes_of(int size_class) {
    return size_class == 0 ? 0 : (least_bytes_of(size_class) - 1) * 2 + 1;
}

}  // namespace coll_topo
