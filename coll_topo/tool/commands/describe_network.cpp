// SPDX-License-Identifier: BSD-3-Clause
// describe_network FILE [COLLECTIVE:BYTES...]: what `coll-topo show FILE --format json --routes` writes, and the
// bounds of these collectives with one rank on each host. For scripts of this source tree, so that a virtual
// cluster does not need the whole of coll-topo, which takes longer to compile.
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/input/wording.hpp"
#include "coll_topo/schedule/call.hpp"
#include "coll_topo/simulate/bounds.hpp"
#include "coll_topo/tool/network/network_json.hpp"

#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {
namespace {

struct Case {
    Collective collective;
    std::int64_t bytes;
};

Expected<Case> read_case(std::string_view text) {
    const std::string_view name = text.substr(0, text.find(':'));
    const auto call = find_call(name);
    if (!call || !has_size(*call) || name.size() == text.size()) {
        return failure(in_quotes(text) + " is not a collective and its size, such as allreduce:1MiB");
    }
    ASSIGN_OR_RETURN(const auto bytes, parse_bytes(Located{text.substr(name.size() + 1)}));
    return Case{schedule_of(*call), bytes};
}

Placement one_rank_on_each_host(int hosts) {
    Placement placement(hosts);
    for (int host = 0; host < hosts; ++host) placement[host].host = host;
    return placement;
}

Expected<void> describe(const std::string& path, const std::vector<std::string_view>& wanted) {
    ASSIGN_OR_RETURN(const auto file, read_topology_file(path));
    std::vector<Case> cases;
    for (const std::string_view text : wanted) {
        ASSIGN_OR_RETURN(const auto read, read_case(text));
        cases.push_back(read);
    }
    LinkGraph network(file.fabric);
    const Placement placement = one_rank_on_each_host(network.hosts());
    JsonWriter json(std::cout);
    write_network(json, file.fabric, network, true);
    json.begin_array("bounds");
    for (const auto& [collective, bytes] : cases) {
        const simulate::Bound bound =
            simulate::bound(collective, static_cast<double>(bytes), 0, file.fabric, network, placement);
        json.element(JsonValue::object({{"collective", collective_name(collective)},
                                        {"bytes", bytes},
                                        {"seconds", bound.seconds()},
                                        {"limited_by", simulate::limit_name(bound.limit())}}));
    }
    json.end_array();
    return {};
}

}  // namespace
}  // namespace coll_topo::tool

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cerr << "usage: describe_network FILE [COLLECTIVE:BYTES...]\n";
        return 2;
    }
    try {
        const auto done = coll_topo::tool::describe(argv[1], {argv + 2, argv + argc});
        if (done) return std::cout.flush() ? 0 : 1;
        std::cerr << done.error().text() << "\n";
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
    }
    return 1;
}
