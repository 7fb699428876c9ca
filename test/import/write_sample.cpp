// SPDX-License-Identifier: BSD-3-Clause
// Writes the sample data of test/data/import again: write_sample DIRECTORY.
#include "test/import/sample_network.hpp"

#include <fstream>
#include <iostream>

using namespace coll_topo::importing;

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: write_sample DIRECTORY\n";
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
