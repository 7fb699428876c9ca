// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/host_facts.hpp"

#include "coll_topo/base/digest.hpp"
#include "coll_topo/mpi_run/mpi_version.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace coll_topo::bench {

namespace {

using Json = nlohmann::ordered_json;

/// Files of programs that a process has in memory, and that must be the same everywhere, by the begin of their names.
constexpr const char* libraries[] = {"libmpi.so", "libopen-pal.so", "libhwloc.so", "mca_coll_topo.so"};

/// A digest of the contents, "cannot be read" if there are none.
std::string digest_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.good() && text.empty()) return "cannot be read";
    Digest digest;
    digest.add(std::string_view(text));
    char hexadecimal[17];
    std::snprintf(hexadecimal, sizeof hexadecimal, "%016llx", static_cast<unsigned long long>(digest.value()));
    return hexadecimal;
}

/// The shared libraries that this process has mapped.
std::set<std::string> mapped_files() {
    std::set<std::string> files;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (const auto path = line.find('/'); path != std::string::npos) files.insert(line.substr(path));
    }
    return files;
}

void add_libraries(Json& facts) {
    for (const std::string& path : mapped_files()) {
        const std::string name = std::filesystem::path(path).filename();
        for (const std::string library : libraries) {
            if (name.starts_with(library)) facts[library.substr(0, library.find('.'))] = name + " " + digest_of(path);
        }
    }
    if (!facts.contains("mca_coll_topo")) facts["mca_coll_topo"] = "not loaded";
}

/// "0-3,8".
std::string processors_of_process() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return "not known";
    std::string text;
    for (int first = 0; first < CPU_SETSIZE; ++first) {
        if (!CPU_ISSET(first, &set)) continue;
        int last = first;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set)) ++last;
        text += (text.empty() ? "" : ",") + std::to_string(first);
        if (last > first) text += "-" + std::to_string(last);
        first = last;
    }
    return text;
}

std::string processor_model() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "not known";
}

std::string own_facts(const std::string& host, const Variables& variables, const std::string& topology_file) {
    Json facts;
    facts["Open MPI"] = mpi_version();
    add_libraries(facts);
    facts["topology file"] = digest_of(topology_file);
    for (const auto& [name, value] : variables.starting_with("coll_topo_")) facts[name] = value;
    utsname system{};
    uname(&system);
    facts["kernel"] = system.release;
    facts["processor"] = processor_model();
    facts["processors"] = std::to_string(sysconf(_SC_NPROCESSORS_ONLN));
    facts["may run on"] = processors_of_process();
    return Json{{"host", host}, {"facts", facts}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string host_facts_json(MPI_Comm communicator, const std::vector<std::string>& host_of_rank,
                            const Variables& variables, const std::string& topology_file) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    const std::string own = own_facts(host_of_rank[static_cast<std::size_t>(rank)], variables, topology_file);
    const int length = static_cast<int>(own.size());
    std::vector<int> lengths(static_cast<std::size_t>(ranks)), places(lengths.size());
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, communicator);
    for (std::size_t i = 1; i < places.size(); ++i) places[i] = places[i - 1] + lengths[i - 1];
    std::string all(static_cast<std::size_t>(places.back() + lengths.back()), ' ');
    MPI_Gatherv(own.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR, 0, communicator);
    if (rank != 0) return {};
    Json document{{"version", 1}, {"mpi", mpi_version()}, {"ranks", Json::array()}};
    for (std::size_t i = 0; i < places.size(); ++i) {
        document["ranks"].push_back(
            Json::parse(all.substr(static_cast<std::size_t>(places[i]), static_cast<std::size_t>(lengths[i]))));
    }
    return document.dump() + '\n';
}

}  // namespace coll_topo::bench
