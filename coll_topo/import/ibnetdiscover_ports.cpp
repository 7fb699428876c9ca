// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/import/cable_collector.hpp"
#include "coll_topo/import/ibnetdiscover.hpp"
#include "coll_topo/import/link_speed.hpp"
#include "coll_topo/import/source_lines.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/wording.hpp"

namespace coll_topo::importing {

namespace {

/// One end in a line: "SW     2  1 0x0002c90200410f28".
struct PortWords {
    std::string_view kind, number, guid;
};

PortWords take_port(std::string_view& rest) {
    PortWords port;
    port.kind = take_word(rest);
    take_word(rest);  // the LID
    port.number = take_word(rest);
    port.guid = take_word(rest);
    return port;
}

bool is_kind(std::string_view word) {
    return word == "SW" || word == "CA" || word == "RT" || word == "??";
}

/// A line of a port with a cable is
/// `SW     2  1 0x0002c90200410f28 4x QDR - CA     4  1 0x0002c903000e0b73 ( 'leaf 1' - 'n001 HCA-1' )`.
class Reader {
public:
    Reader(std::string_view text, const std::string& file) : lines_(text, file), cables_(file) {}

    Expected<CableList> read() {
        SourceLine line;
        while (lines_.next(line)) RETURN_IF_ERROR(read_line(line));
        return cables_.finish(false);
    }

private:
    Expected<void> read_line(const SourceLine& line) {
        std::string_view rest = without_blanks_around(line.text);
        if (rest.empty() || rest.starts_with('#')) return {};
        const PortWords own = take_port(rest);
        if (!is_kind(own.kind)) {
            return failure("not a line of ibnetdiscover --ports: it begins with neither SW, CA nor RT",
                           lines_.line(line.number));
        }
        const std::string_view width = take_word(rest);
        const std::string_view speed = take_word(rest);
        if (speed.empty())
            return failure("the line ends before the speed; is the output complete?", lines_.line(line.number));
        if (rest.size() > 1 && rest.starts_with('\'')) {
            ASSIGN_OR_RETURN(const CableEnd end, port_end(own, rest.substr(1, rest.size() - 2), line));
            cables_[end.device].line = line.number;
            return {};
        }
        if (take_word(rest) != "-") return failure("expected - and the other end", lines_.line(line.number));
        const PortWords far = take_port(rest);
        const std::size_t middle = rest.find("' - '");
        if (!is_kind(far.kind) || !rest.starts_with("( '") || !rest.ends_with("' )") ||
            middle == std::string_view::npos || middle < 3) {
            return failure("expected the other end, and ( 'NAME' - 'NAME' )", lines_.line(line.number));
        }
        ASSIGN_OR_RETURN(const CableEnd from, port_end(own, rest.substr(3, middle - 3), line));
        ASSIGN_OR_RETURN(const CableEnd to, port_end(far, rest.substr(middle + 5, rest.size() - middle - 8), line));
        cables_[from.device].line = line.number;
        return cables_.connect(from, to, link_speed(width, speed), line.number);
    }

    /// All ports of a switch have its GUID, each port of an adapter its own.
    Expected<CableEnd> port_end(const PortWords& port, std::string_view name, const SourceLine& line) {
        const auto number = parse_integer({port.number}, 0, 65535, "a port");
        if (!number) return failure(number.error().message, lines_.line(line.number));
        const bool is_guid = port.guid.starts_with("0x") && port.guid.size() > 2 &&
                             port.guid.find_first_not_of(hexadecimal_digits, 2) == std::string_view::npos;
        if (!is_guid) return failure("expected a GUID: 0x...", lines_.line(line.number));
        const bool is_switch = port.kind == "SW";
        const DeviceKind kind = is_switch           ? DeviceKind::network_switch
                                : port.kind == "CA" ? kind_of_adapter(name)
                                                    : DeviceKind::other;
        const int device = cables_.device((is_switch ? "S-" : "H-") + std::string(port.guid.substr(2)), kind);
        if (cables_[device].name.empty()) {
            cables_[device].name = name;
            if (!is_switch) cables_[device].only_port = static_cast<int>(*number);
            cables_[device].addresses = {std::string(port.guid.substr(2))};
            cables_[device].line = line.number;
        }
        return CableEnd{device, static_cast<int>(*number)};
    }

    SourceLines lines_;
    CableCollector cables_;
};

}  // namespace

bool is_ibnetdiscover_ports(std::string_view text) {
    SourceLines lines(text, {});
    SourceLine line;
    while (lines.next(line)) {
        std::string_view rest = without_blanks_around(line.text);
        if (rest.empty() || rest.starts_with('#')) continue;
        const PortWords port = take_port(rest);
        return is_kind(port.kind) && port.guid.starts_with("0x");
    }
    return false;
}

Expected<CableList> read_ibnetdiscover_ports(std::string_view text, const std::string& file) {
    ASSIGN_OR_RETURN(const auto checked, checked_source(text, file));
    return Reader(checked, file).read();
}

}  // namespace coll_topo::importing
