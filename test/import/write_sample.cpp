// SPDX-License-Identifier: BSD-3-Clause
// What the tools of a site would print of imagined networks. write_sample DIRECTORY writes the sample data of
// test/data/import again; write_sample --of TOPOLOGY prints ibnetdiscover of a topology file, names shuffled.
#include "coll_topo/input/topology_file.hpp"
#include "test/import/sample_network.hpp"

#include <fstream>
#include <iostream>

using namespace coll_topo::importing;

int main(int argc, char** argv) {
    if (argc == 3 && std::string(argv[1]) == "--of") {
        auto file = coll_topo::read_topology_file(argv[2]);
        if (!file) {
            std::cerr << file.error().text() << "\n";
            return 1;
        }
        coll_topo::assume_bandwidth(file->fabric);
        std::map<std::string, std::string> names;
        std::cout << ibnetdiscover_text(shuffled(file->fabric, 1, names));
        return 0;
    }
    if (argc != 2) {
        std::cerr << "usage: write_sample DIRECTORY, or write_sample --of TOPOLOGY\n";
        return 2;
    }
    const std::pair<const char*, SampleNetwork> samples[] = {
        {"fat-tree-2-levels", fat_tree_2_levels()},
        {"fat-tree-3-levels", fat_tree_3_levels()},
        {"rails", fat_tree_of_rails()},
        {"switch-torus-4x4x2", switch_torus()},
        {"latin-square-3", latin_square_3()},
        {"odd-devices", odd_devices()},
    };
    for (const auto& [name, network] : samples) {
        std::ofstream(std::string(argv[1]) + "/" + name + ".ibnetdiscover") << ibnetdiscover_text(network);
        std::ofstream(std::string(argv[1]) + "/" + name + ".ibnetdiscover-ports") << ibnetdiscover_ports_text(network);
    }
    return 0;
}
