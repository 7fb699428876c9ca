// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/doctor/diagnosis.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/select/rules_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace coll_topo::tool {

namespace {

constexpr const char* set_path = "export OMPI_MCA_mca_base_component_path=";

bool known_release(const std::string& version) {
    return version.starts_with("4.1.") || version.starts_with("5.0.") || version.starts_with("6.0.");
}

/// Of the list in the parameter coll: without "^", only what is named is used.
bool selected(const std::string& selection) {
    if (selection.empty()) return true;
    const bool excludes = selection.front() == '^';
    const auto names = split(std::string_view(selection).substr(excludes ? 1 : 0), ',');
    const bool named = std::find(names.begin(), names.end(), "topo") != names.end();
    return named != excludes;
}

/// The components that Open MPI cannot do without beside those that are named.
std::vector<std::string> missing_beside(const std::string& selection) {
    std::vector<std::string> missing;
    if (selection.empty() || selection.front() == '^') return missing;
    const auto names = split(selection, ',');
    for (const std::string name : {"basic", "libnbc", "self"}) {
        if (std::find(names.begin(), names.end(), name) == names.end()) missing.push_back(name);
    }
    return missing;
}

void add_faults_of_path(const OpenMpi& open_mpi, std::vector<Fault>& faults) {
    const auto& path = open_mpi.component_path;
    if (path.empty()) return;
    std::string existing;
    for (const std::string& part : path) {
        std::error_code error;
        const bool optional = part == "SYS_DEFAULT" || part == "USER_DEFAULT" || part.ends_with("/.openmpi/components");
        if (optional || std::filesystem::is_directory(part, error)) {
            if (part != "SYS_DEFAULT") existing += part + ":";
            continue;
        }
        faults.push_back(
            {fmt::format("mca_base_component_path names {}, which is no directory: Open MPI looks no further", part),
             ""});
    }
    for (Fault& fault : faults) {
        if (fault.type.empty()) fault.type = set_path + existing + "SYS_DEFAULT";
    }
    const bool whole = std::any_of(path.begin(), path.end(), [&](const std::string& part) {
        return part == "SYS_DEFAULT" || part == open_mpi.own_directory;
    });
    if (!whole && open_mpi.version.starts_with("4.")) {
        faults.push_back(
            {"mca_base_component_path lacks SYS_DEFAULT: it replaces Open MPI's own path, and mpirun fails",
             fmt::format("{}{}:SYS_DEFAULT", set_path, fmt::join(path, ":"))});
    }
}

/// For a component in one of the two directories where Open MPI looks by itself, but not with this path.
bool add_fault_of_default_left_out(const OpenMpi& open_mpi, std::vector<Fault>& faults) {
    struct Default {
        std::string directory;
        const char* name;
    };
    for (const auto& [directory, name] :
         {Default{open_mpi.own_directory, "SYS_DEFAULT"}, Default{home_directory(), "USER_DEFAULT"}}) {
        const auto files = component_files({directory});
        if (files.empty()) continue;
        faults.push_back({fmt::format("{} is not looked at, as mca_base_component_path replaces the path that has its "
                                      "directory",
                                      files.front()),
                          fmt::format("{}{}:{}", set_path, fmt::join(open_mpi.component_path, ":"), name)});
        return true;
    }
    return false;
}

void add_faults_of_component(const OpenMpi& open_mpi, std::vector<Fault>& faults) {
    const std::vector<std::string> files = component_files(searched_directories(open_mpi));
    if (files.empty() && add_fault_of_default_left_out(open_mpi, faults)) return;
    if (files.empty()) {
        faults.push_back({"mca_coll_topo.so is in none of the directories where Open MPI looks for components",
                          "make -C build install, or " + std::string(set_path) + "DIRECTORY:SYS_DEFAULT"});
        return;
    }
    if (!open_mpi.has_component) {
        const std::string why = open_mpi.load_error.empty() ? "built for another Open MPI" : open_mpi.load_error;
        const char* const line = "scripts/build && make -C build install";
        faults.push_back({fmt::format("{} cannot be loaded by Open MPI {}: {}", files.front(), open_mpi.version, why),
                          files.size() > 1 ? fmt::format("rm {}", files.front()) : std::string(line)});
    } else if (files.size() > 1) {
        faults.push_back({fmt::format("there are {} copies of the component; only the first counts: {}", files.size(),
                                      fmt::join(files, ", ")),
                          fmt::format("rm {}", fmt::join(files.begin() + 1, files.end(), " "))});
    }
}

/// mpirun of 5.0 and 6.0 hands the path that PMIx has in its own file to programs, in place of theirs. Without that
/// file, they look where Open MPI looks by itself.
std::string line_for_launcher(const OpenMpi& alone) {
    const auto files = component_files(searched_directories(alone));
    const std::string directory =
        files.empty() ? "DIRECTORY" : std::filesystem::path(files.front()).parent_path().string();
    if (alone.version.starts_with("4.")) {
        return "mpirun --mca mca_base_component_path " + directory + ":SYS_DEFAULT ...";
    }
    const bool by_itself = directory == alone.own_directory || directory == home_directory();
    if (by_itself && std::getenv("PMIX_MCA_mca_base_param_files") == nullptr) {
        return "export PMIX_MCA_mca_base_param_files=/dev/null";
    }
    return "mpirun ... env OMPI_MCA_mca_base_component_path=" + directory + ":SYS_DEFAULT ...";
}

std::string path_of(const std::string& name) {
    std::error_code error;
    return std::filesystem::absolute(name, error).string();
}

}  // namespace

std::vector<Fault> faults_of_installation(const OpenMpi& open_mpi) {
    std::vector<Fault> faults;
    if (!known_release(open_mpi.version)) {
        faults.push_back({fmt::format("the ompi_info in PATH is of Open MPI {}; coll_topo is for 4.1, 5.0 and 6.0",
                                      open_mpi.version),
                          "export PATH=/path/of/another/openmpi/bin:$PATH"});
    }
    add_faults_of_path(open_mpi, faults);
    if (!selected(open_mpi.selection)) {
        faults.push_back({fmt::format("the parameter coll is \"{}\", which leaves out topo", open_mpi.selection),
                          "unset OMPI_MCA_coll, and leave out --mca coll"});
    } else if (const auto missing = missing_beside(open_mpi.selection); !missing.empty()) {
        faults.push_back({fmt::format("the parameter coll is \"{}\", without {}, which Open MPI needs",
                                      open_mpi.selection, fmt::join(missing, ", ")),
                          fmt::format("export OMPI_MCA_coll={},{}", open_mpi.selection, fmt::join(missing, ","))});
    }
    // Neither a path that ends early nor a list of components is the component's fault.
    if (faults.empty()) add_faults_of_component(open_mpi, faults);
    return faults;
}

std::vector<Fault> faults_of_files(const OpenMpi& open_mpi) {
    constexpr int tuned_priority = 30;
    std::vector<Fault> faults;
    if (open_mpi.priority < 0) {
        faults.push_back(
            {"coll_topo_priority is negative, which switches the component off", "unset OMPI_MCA_coll_topo_priority"});
    } else if (open_mpi.priority <= tuned_priority) {
        faults.push_back({fmt::format("coll_topo_priority is {}; tuned has {} and goes before it", open_mpi.priority,
                                      tuned_priority),
                          "unset OMPI_MCA_coll_topo_priority"});
    }
    if (open_mpi.topology_file.empty()) {
        faults.push_back({"coll_topo_topology_file is not set: the component does nothing",
                          "export OMPI_MCA_coll_topo_topology_file=" + path_of("cluster.conf")});
    } else if (const auto file = read_topology_file(open_mpi.topology_file); !file) {
        faults.push_back(
            {"the topology file cannot be used: " + file.error().text(), "coll-topo check " + open_mpi.topology_file});
    }
    if (open_mpi.rules_file.empty()) return faults;
    if (const auto rules = read_rules_file(open_mpi.rules_file); !rules) {
        faults.push_back({"the file of rules cannot be used: " + rules.error().text(),
                          "coll-topo check --rules " + open_mpi.rules_file});
    }
    return faults;
}

std::vector<Fault> faults_of_launcher(const OpenMpi& alone, const OpenMpi& launched,
                                      const std::vector<std::string>& hosts) {
    std::vector<Fault> faults;
    if (alone.has_component && !launched.has_component) {
        faults.push_back(
            {fmt::format("processes started by the launcher do not find the component: their path is \"{}\"",
                         fmt::join(launched.component_path, ":")),
             line_for_launcher(alone)});
    }
    const auto file = read_topology_file(launched.topology_file);
    if (!file) return faults;
    std::vector<std::string> strangers;
    for (const std::string& host : hosts) {
        const NameTable& names = file->fabric.hosts;
        const bool known = names.find(host) >= 0 || names.find(host.substr(0, host.find('.'))) >= 0;
        if (!known) strangers.push_back(host);
    }
    if (!strangers.empty()) {
        faults.push_back({fmt::format("not in {}: {} {}", launched.topology_file,
                                      strangers.size() == 1 ? "the host" : "the hosts", fmt::join(strangers, ", ")),
                          fmt::format("mpirun --host {} ..., or add {} to the file",
                                      file->fabric.hosts.size() > 0 ? file->fabric.hosts.name(0) : "HOST",
                                      strangers.size() == 1 ? "it" : "them")});
    }
    return faults;
}

}  // namespace coll_topo::tool
