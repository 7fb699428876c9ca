// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/report_folder.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/tool/accept/page_text.hpp"
#include "coll_topo/tool/accept/report_text.hpp"
#include "coll_topo/tool/output/output_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace coll_topo::tool {

namespace fs = std::filesystem;

Expected<ReportFolder> ReportFolder::make(const std::string& path) {
    std::error_code error;
    fs::create_directories(fs::path(path) / "measured", error);
    if (error) return failure("cannot make the folder of the report: " + error.message(), {path});
    ReportFolder folder(path);
    RETURN_IF_ERROR(folder.keep("trial", "{}\n"));  // hours before it is needed
    fs::remove(folder.name_of("trial"), error);
    return folder;
}

std::string ReportFolder::name_of(std::string_view stage) const {
    return (fs::path(path_) / "measured" / (std::string(stage) + ".json")).string();
}

Expected<void> ReportFolder::keep(std::string_view stage, std::string_view text) const {
    return tool::write_file(name_of(stage), text);
}

std::optional<std::string> ReportFolder::kept(std::string_view stage) const {
    std::ifstream file(name_of(stage), std::ios::binary);
    if (!file) return std::nullopt;
    return std::string{std::istreambuf_iterator<char>(file), {}};
}

void ReportFolder::forget_all() const {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(path_) / "measured", error)) {
        if (entry.path().extension() == ".json") fs::remove(entry.path(), error);
    }
    forget_report();
}

void ReportFolder::forget_report() const {
    std::error_code error;
    for (const char* name : {"index.html", "results.json", "junit.xml", "rules.conf", "corrected.conf"}) {
        fs::remove(fs::path(path_) / name, error);
    }
}

Expected<void> ReportFolder::write_file(std::string_view name, std::string_view text) const {
    return tool::write_file((fs::path(path_) / name).string(), text);
}

Expected<void> ReportFolder::write(const Acceptance& acceptance) const {
    auto written = write_all(acceptance);
    if (!written) forget_report();
    return written;
}

Expected<void> ReportFolder::write_all(const Acceptance& acceptance) const {
    std::ostringstream json;
    write_report_json(acceptance, json);
    RETURN_IF_ERROR(write_file("results.json", json.str()));
    RETURN_IF_ERROR(write_file("junit.xml", junit_text(acceptance)));
    if (acceptance.speed && !acceptance.speed->rules.empty()) {
        RETURN_IF_ERROR(write_file("rules.conf", acceptance.speed->rules));
    }
    return write_file("index.html", page_of(acceptance));
}

}  // namespace coll_topo::tool
