// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/doctor/open_mpi.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/tool/output/program_output.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace coll_topo::tool {

namespace {

constexpr std::string_view component_file = "mca_coll_topo.so";

constexpr const char* no_open_mpi =
    "ompi_info is not in PATH, or cannot be run\n"
    "  type:  apt-get install openmpi-bin, or export PATH=/path/of/openmpi/bin:$PATH";

/// Standard output and error of the program behind the launcher, whose complaints do not count as failure.
Expected<std::string> all_output(const std::vector<std::string>& launcher, const std::string& script) {
    std::vector<std::string> command = launcher;
    command.insert(command.end(), {"/bin/sh", "-c", "exec 2>&1; " + script});
    return output_of(command);
}

/// What follows `key` in the line that begins with it; empty if there is none.
std::string after(const std::string& text, std::string_view key) {
    for (const std::string_view line : split(text, '\n')) {
        if (line.starts_with(key)) return std::string(line.substr(key.size()));
    }
    return {};
}

std::string line_with(const std::string& text, std::string_view part) {
    for (const std::string_view line : split(text, '\n')) {
        if (line.find(part) != std::string_view::npos) return std::string(line);
    }
    return {};
}

/// Values with colons are in quotes.
std::string parameter(const std::string& text, const std::string& component, const std::string& name) {
    const std::string value = after(text, "mca:" + component + ":param:" + name + ":value:");
    const bool quoted = value.size() > 1 && value.front() == '"' && value.back() == '"';
    return quoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

std::vector<std::string> path_parts(const std::string& path) {
    std::vector<std::string> parts;
    for (const std::string_view part : split(path, ':')) {
        if (!part.empty()) parts.emplace_back(part);
    }
    return parts;
}

Expected<OpenMpi> ask_open_mpi(const std::vector<std::string>& launcher) {
    // One run, as a launcher may take long; of all processes the first speaks.
    const std::string script =
        "[ ${OMPI_COMM_WORLD_RANK:-0} = 0 ] || exit 0; export OMPI_MCA_mca_base_component_show_load_errors=1; "
        "ompi_info --version;"
        "ompi_info --path pkglibdir --parsable; ompi_info --param mca base --level 9 --parsable;"
        "ompi_info --param coll all --level 9 --parsable; true";
    ASSIGN_OR_RETURN(const std::string text, all_output(launcher, script));
    OpenMpi found;
    found.version = after(text, "Open MPI v");
    if (found.version.empty()) return failure(no_open_mpi);
    found.own_directory = after(text, "path:pkglibdir:");
    found.component_path = path_parts(parameter(text, "mca:base", "mca_base_component_path"));
    found.selection = parameter(text, "coll:base", "coll");
    found.topology_file = parameter(text, "coll:topo", "coll_topo_topology_file");
    found.rules_file = parameter(text, "coll:topo", "coll_topo_rules_file");
    const std::string priority = parameter(text, "coll:topo", "coll_topo_priority");
    found.has_component = !priority.empty();
    found.priority = std::atoi(priority.c_str());
    found.load_error = line_with(text, "unable to open mca_coll_topo");
    return found;
}

Expected<std::vector<std::string>> hosts_of(const std::vector<std::string>& launcher) {
    ASSIGN_OR_RETURN(const std::string text, all_output(launcher, "echo coll_topo runs on $(hostname)"));
    std::vector<std::string> hosts;
    for (const std::string_view line : split(text, '\n')) {
        constexpr std::string_view begin = "coll_topo runs on ";
        if (line.starts_with(begin)) hosts.emplace_back(line.substr(begin.size()));
    }
    std::sort(hosts.begin(), hosts.end());
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    return hosts;
}

std::string home_directory() {
    const char* const home = std::getenv("HOME");
    return std::string(home != nullptr ? home : "") + "/.openmpi/components";
}

std::vector<std::string> searched_directories(const OpenMpi& open_mpi) {
    if (open_mpi.component_path.empty()) return {open_mpi.own_directory, home_directory()};
    std::vector<std::string> directories;
    for (const std::string& part : open_mpi.component_path) {
        const bool home = part == "USER_DEFAULT" || part == "USR_DEFAULT";
        directories.push_back(part == "SYS_DEFAULT" ? open_mpi.own_directory : home ? home_directory() : part);
    }
    return directories;
}

std::vector<std::string> component_files(const std::vector<std::string>& directories) {
    std::vector<std::string> files;
    for (const std::string& directory : directories) {
        const auto file = std::filesystem::path(directory) / component_file;
        std::error_code error;
        if (std::filesystem::exists(file, error)) files.push_back(file.string());
    }
    return files;
}

}  // namespace coll_topo::tool
