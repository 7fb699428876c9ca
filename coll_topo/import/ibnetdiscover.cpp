// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/ibnetdiscover.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/import/cable_collector.hpp"
#include "coll_topo/import/link_speed.hpp"
#include "coll_topo/import/source_lines.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <optional>

namespace coll_topo::importing {

namespace {

/// Words at the beginning of lines that say nothing of cables. After --grouping, chassis have lines of their own.
constexpr std::string_view other_words[] = {
    "vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=", "Chassis ", "Non-Chassis", "Hostname:"};

/// A line such as `Switch 36 "S-0002c90200410f28" # "leaf 1" enhanced port 0 lid 2 lmc 0` or, of a port,
/// `[1] "H-0002c903000e0b72"[1](2c903000e0b73) # "n001 HCA-1" lid 4 4xQDR`.
class Reader {
public:
    Reader(std::string_view text, const std::string& file) : lines_(text, file), cables_(file) {}

    Expected<CableList> read() {
        SourceLine line;
        while (lines_.next(line)) RETURN_IF_ERROR(read_line(line));
        return cables_.finish(true);
    }

private:
    Expected<void> read_line(const SourceLine& line) {
        const std::string_view text = without_blanks_around(line.text);
        if (text.empty() || text.starts_with('#')) return {};
        if (text.starts_with('[')) return read_port(line);
        for (const auto& [word, kind] : {std::pair{"Switch", DeviceKind::network_switch},
                                         {"Ca", DeviceKind::adapter},
                                         {"Rt", DeviceKind::other},
                                         {"???", DeviceKind::other}}) {
            if (!text.starts_with(std::string(word) + '\t') && !text.starts_with(std::string(word) + ' ')) continue;
            return read_device(line, text.substr(std::string_view(word).size()), kind);
        }
        const bool known = std::any_of(std::begin(other_words), std::end(other_words),
                                       [text](std::string_view word) { return text.starts_with(word); });
        if (text.starts_with("Chassis ")) has_chassis_ = true;
        if (known) return {};
        return failure("not a line of ibnetdiscover: " + in_quotes(text), lines_.where(text));
    }

    Expected<void> read_device(const SourceLine& line, std::string_view rest, DeviceKind kind) {
        take_word(rest);  // the number of ports
        ASSIGN_OR_RETURN(const std::string_view id, take_id(rest, line));
        const int device = cables_.device(id, kind);
        Device& own = cables_[device];
        skipped_ = own.line != 0 && has_chassis_;  // of a chassis all switches are printed twice
        if (own.line != 0 && !skipped_) {
            return failure(in_quotes(id) + " is given twice; first in line " + std::to_string(own.line),
                           lines_.where(id));
        }
        if (skipped_) return {};
        own.line = line.number;
        own.name = quoted(rest);
        own.kind = kind == DeviceKind::adapter ? kind_of_adapter(own.name) : kind;
        own.addresses.emplace_back(id.substr(2));
        current_ = device;
        return {};
    }

    Expected<void> read_port(const SourceLine& line) {
        if (skipped_) return {};
        if (!current_) return failure("a port before the first switch or adapter", lines_.line(line.number));
        std::string_view rest = without_blanks_around(line.text);
        ASSIGN_OR_RETURN(const int port, take_number(rest, line));
        if (rest.starts_with("[ext")) rest.remove_prefix(std::min(rest.find(']') + 1, rest.size()));
        take_port_guid(rest, cables_[*current_]);
        rest = without_blanks_around(rest);
        ASSIGN_OR_RETURN(const std::string_view id, take_id(rest, line));
        ASSIGN_OR_RETURN(const int far_port, take_number(rest, line));
        const DeviceKind far_kind = id.starts_with('S')   ? DeviceKind::network_switch
                                    : id.starts_with('H') ? DeviceKind::adapter
                                                          : DeviceKind::other;
        const int far = cables_.device(id, far_kind);
        const auto speed = speed_word(rest);
        if (!speed)
            return failure("the line ends before width and speed, such as 4xHDR; is the output complete?",
                           lines_.line(line.number));
        return cables_.connect({*current_, port}, {far, far_port}, link_speed(*speed), line.number);
    }

    /// The id in quotes, such as "S-0002c90200410f28": type and GUID of the node.
    Expected<std::string_view> take_id(std::string_view& rest, const SourceLine& line) const {
        rest = without_blanks_around(rest);
        const std::size_t end = rest.find('"', 1);
        const bool is_id = rest.starts_with('"') && end != std::string_view::npos && end > 3 && rest[2] == '-' &&
                           rest.find_first_not_of(hexadecimal_digits, 3) == end;
        if (!is_id) return failure("expected the GUID of a node, such as \"S-0002c90200410f28\"", place(rest, line));
        const std::string_view id = rest.substr(1, end - 1);
        rest.remove_prefix(end + 1);
        return id;
    }

    Expected<int> take_number(std::string_view& rest, const SourceLine& line) const {
        const std::size_t end = rest.find(']');
        if (!rest.starts_with('[') || end == std::string_view::npos) {
            return failure("expected a port in brackets, such as [1]", place(rest, line));
        }
        const auto number = parse_integer({rest.substr(1, end - 1)}, 0, 65535, "a port");
        if (!number) return failure(number.error().message, place(rest, line));
        rest.remove_prefix(end + 1);
        return static_cast<int>(*number);
    }

    SourceLocation place(std::string_view rest, const SourceLine& line) const {
        return rest.empty() ? lines_.line(line.number) : lines_.where(rest);
    }

    /// "(2c903000e0b73)", the GUID of a port of an adapter.
    static void take_port_guid(std::string_view& rest, Device& device) {
        if (!rest.starts_with('(')) return;
        const std::size_t end = rest.find(')');
        if (end == std::string_view::npos) return;
        device.addresses.emplace_back(rest.substr(1, end - 1));
        rest.remove_prefix(end + 1);
    }

    /// The description after the '#', which may itself contain quotation marks.
    static std::string quoted(std::string_view rest) {
        const std::size_t begin = rest.find('"');
        const std::size_t end = rest.rfind('"');
        return begin == end ? std::string() : std::string(rest.substr(begin + 1, end - begin - 1));
    }

    /// The word after the last `" lid N`.
    static std::optional<std::string_view> speed_word(std::string_view rest) {
        const std::size_t lid = rest.rfind("\" lid ");
        if (lid == std::string_view::npos) return std::nullopt;
        std::string_view words = rest.substr(lid + 2);
        take_word(words);
        take_word(words);
        const std::string_view speed = take_word(words);
        return speed.size() < 3 ? std::nullopt : std::optional(speed);
    }

    SourceLines lines_;
    CableCollector cables_;
    std::optional<int> current_;  // the device whose ports follow
    bool has_chassis_ = false, skipped_ = false;
};

}  // namespace

DeviceKind kind_of_adapter(std::string_view description) {
    const bool other = description.find("Aggregation Node") != std::string_view::npos ||
                       description.find("ateway") != std::string_view::npos || description.starts_with("MF0;");
    return other ? DeviceKind::other : DeviceKind::adapter;
}

bool is_ibnetdiscover(std::string_view text) {
    return text.find("\nswitchguid=") != std::string_view::npos || text.find("\ncaguid=") != std::string_view::npos ||
           text.find("# Initiated from node ") != std::string_view::npos;
}

Expected<CableList> read_ibnetdiscover(std::string_view text, const std::string& file) {
    ASSIGN_OR_RETURN(const auto checked, checked_source(text, file));
    return Reader(checked, file).read();
}

}  // namespace coll_topo::importing
