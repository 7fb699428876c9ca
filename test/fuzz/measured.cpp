// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/measured_costs.hpp"

#include "test/fuzz/error_place.hpp"
#include "test/fuzz/readers.hpp"

#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/tune/calibration.hpp"

namespace coll_topo::fuzz {

namespace {

constexpr std::string_view torus = "TorusName=t Dims=2x3 Nodes=n[0-5] Bandwidth=1GB/s Latency=1us\n";
constexpr std::string_view switches =
    "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nLink From=a To=b Bandwidth=1GB/s Latency=1us\n";

/// Writes measurements into a topology file, which stays one.
std::string wrong_calibration(std::string_view text, const tool::MeasuredCosts& costs) {
    const auto file = read_topology_text(text, text_name);
    const auto statements = tool::count_statements(text, text_name);
    const tool::Calibration calibration = tool::calibrate(file->fabric, *statements, costs, 2);
    const auto edited = tool::edit_topology(text, text_name, calibration.edits);
    if (!edited) return "cannot be written into a file: " + edited.error().text();
    const auto read = read_topology_text(*edited, text_name);
    return read ? "" : "makes a file that cannot be read: " + read.error().text() + "\n" + *edited;
}

}  // namespace

std::string measured_complaint(std::string_view bytes) {
    const auto costs = tool::read_measured_json(bytes, text_name);
    if (!costs) return costs.error().message.empty() ? "an error without a message" : "";
    const std::string text = tool::measured_json(*costs);
    const auto again = tool::read_measured_json(text, text_name);
    if (!again) return "cannot be read again: " + again.error().text() + "\n" + text;
    if (tool::measured_json(*again) != text) return "other values when they are read again:\n" + text;
    std::string wrong = wrong_calibration(torus, *costs);
    return wrong.empty() ? wrong_calibration(switches, *costs) : wrong;
}

}  // namespace coll_topo::fuzz
