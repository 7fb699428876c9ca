// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/import/cable_list.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace coll_topo::importing {

/// Makes a CableList of a source that names each cable at both of its ends, and finds where the two disagree.
class CableCollector {
public:
    explicit CableCollector(std::string file) : file_(std::move(file)) {}

    /// The device with an id, made if it is not known yet.
    int device(std::string_view id, DeviceKind kind);
    Device& operator[](int device) { return list_.devices[device]; }

    /// What a port of a device is connected to, as the line says. Fails if the port was told before.
    Expected<void> connect(CableEnd from, CableEnd to, double bandwidth, int line);

    void note(std::string message, int line) { list_.notes.push_back({std::move(message), {file_, line}}); }

    /// The cables. One that only one end tells is taken, with a note. Fails if two cables end at the same port, and, if
    /// all devices are described, where one is not.
    Expected<CableList> finish(bool all_are_described);

private:
    struct Half {
        CableEnd to;
        double bandwidth;
        int line;
    };
    static std::uint64_t key(CableEnd end) {
        return static_cast<std::uint64_t>(end.device) << 32 | static_cast<std::uint32_t>(end.port);
    }
    std::string name(CableEnd end) const;
    Expected<void> take(CableEnd from, const Half& half, bool all_are_described);

    std::string file_;
    CableList list_;
    std::unordered_map<std::string, int> device_of_id_;
    std::unordered_map<std::uint64_t, Half> halves_;
    std::vector<CableEnd> order_;  // of the source
    int one_sided_ = 0, unknown_speeds_ = 0;
    int first_one_sided_ = 0, first_unknown_speed_ = 0;  // lines
};

}  // namespace coll_topo::importing
