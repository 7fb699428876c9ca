// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/accept/acceptance.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace coll_topo::tool {

/// The folder of a report: index.html, results.json, junit.xml, rules.conf if rules would mend something, and in
/// measured/ what was measured, from which --resume goes on. Every file is whole or not there.
class ReportFolder {
public:
    /// Makes the folder; fails if files cannot be written there.
    static Expected<ReportFolder> make(const std::string& path);

    /// Keeps what a stage has measured so far.
    Expected<void> keep(std::string_view stage, std::string_view text) const;
    /// What was kept; nothing if nothing was.
    std::optional<std::string> kept(std::string_view stage) const;
    /// Removes what an earlier run left, which would be taken for that of this one.
    void forget_all() const;

    /// Writes the report, the page last; if it cannot be written whole, none of it is there.
    Expected<void> write(const Acceptance& acceptance) const;
    Expected<void> write_file(std::string_view name, std::string_view text) const;

    std::string name_of(std::string_view stage) const;

private:
    explicit ReportFolder(std::string path) : path_(std::move(path)) {}

    Expected<void> write_all(const Acceptance& acceptance) const;
    void forget_report() const;

    std::string path_;
};

}  // namespace coll_topo::tool
