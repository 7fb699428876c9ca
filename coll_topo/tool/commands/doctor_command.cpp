// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/doctor/diagnosis.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <memory>

namespace coll_topo::tool {

namespace {

void add(std::vector<Fault>& faults, const std::vector<Fault>& more) {
    faults.insert(faults.end(), more.begin(), more.end());
}

void show(const OpenMpi& open_mpi, const std::string& who, std::ostream& out) {
    const std::vector<std::string> files = component_files(searched_directories(open_mpi));
    out << fmt::format("{}: Open MPI {}\n", who, open_mpi.version)
        << fmt::format("  looks for components in {}\n", fmt::join(searched_directories(open_mpi), ":"))
        << fmt::format("  component: {}{}\n", files.empty() ? "not found" : files.front(),
                       open_mpi.has_component ? ", loaded" : ", not loaded")
        << fmt::format("  topology file: {}\n", open_mpi.topology_file.empty() ? "not set" : open_mpi.topology_file);
}

/// What the launcher's own options say of where to look, for one that fails because of them.
OpenMpi as_told(OpenMpi alone, const std::vector<std::string>& launcher) {
    const auto name = std::find(launcher.begin(), launcher.end(), "mca_base_component_path");
    if (name != launcher.end() && name + 1 != launcher.end()) alone.component_path = path_parts(name[1]);
    return alone;
}

std::vector<Fault> launched_faults(const OpenMpi& alone, const std::vector<std::string>& launcher,
                                   const Console& console) {
    const auto launched = ask_open_mpi(launcher);
    if (!launched) {
        std::vector<Fault> faults = faults_of_installation(as_told(alone, launcher));
        if (faults.empty()) faults.push_back({launched.error().text(), fmt::format("{}", fmt::join(launcher, " "))});
        return faults;
    }
    show(*launched, launcher.front(), console.out);
    const bool replaced = alone.has_component && !launched->has_component;
    std::vector<Fault> faults = replaced ? std::vector<Fault>{} : faults_of_installation(*launched);
    if (launched->has_component) add(faults, faults_of_files(*launched));
    const auto hosts = hosts_of(launcher);
    add(faults, faults_of_launcher(alone, *launched, hosts ? *hosts : std::vector<std::string>{}));
    return faults;
}

Expected<int> diagnose(const std::vector<std::string>& launcher, const Console& console) {
    ASSIGN_OR_RETURN(const OpenMpi alone, ask_open_mpi({}));
    show(alone, "here", console.out);
    std::vector<Fault> faults;
    if (!launcher.empty()) {
        faults = launched_faults(alone, launcher, console);
    } else {
        faults = faults_of_installation(alone);
        if (alone.has_component) add(faults, faults_of_files(alone));
    }
    for (const Fault& fault : faults) console.out << "\nFault: " << fault.what << "\n  type:  " << fault.type << "\n";
    if (!faults.empty()) return exit_finding;
    console.out << "\nNothing is wrong. Who serves each collective, and why, is said by a job with\n"
                   "  mpirun --mca coll_topo_verbose 2 ...\n";
    return exit_success;
}

}  // namespace

Command doctor_command() {
    const auto launcher = std::make_shared<std::vector<std::string>>();
    return {{"doctor",
             "Finds out why Open MPI does not use coll_topo, and says what to type.",
             {{"LAUNCHER", "WORDS",
               "after --: the command that starts processes, such as mpirun with its options; looked at are then also "
               "what its processes find, and whether their hosts are in the topology file",
               launcher.get()}},
             {"coll-topo doctor", "coll-topo doctor -- mpirun -np 4"}},
            [launcher](const Console& console) { return diagnose(*launcher, console); }};
}

}  // namespace coll_topo::tool
