// SPDX-License-Identifier: BSD-3-Clause
#include "test/fuzz/error_place.hpp"
#include "test/fuzz/readers.hpp"

#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/tune/topology_edit.hpp"
#include "test/input/fabric_order.hpp"

#include <vector>

namespace coll_topo::fuzz {

namespace {

/// The hosts as a hostlist, and that as hosts again. Large networks would take long without telling more.
std::string lost_names(const NameTable& hosts) {
    if (hosts.size() > 4096) return {};
    std::vector<std::string> names;
    for (int host = 0; host < hosts.size(); ++host) names.emplace_back(hosts.name(host));
    const std::string list = hostlist_text(names);
    std::vector<std::string> again;
    const auto visit = [&](std::string_view name, const Located&) -> Expected<void> {
        again.emplace_back(name);
        return {};
    };
    if (const auto read = for_each_name(Located{list}, visit); !read) return list + ": " + read.error().message;
    return again == names ? "" : "hosts are not those of the list " + list;
}

/// What goes wrong when values of the file are changed.
std::string wrong_edit(std::string_view text, const Fabric& fabric) {
    const auto same = tool::edit_topology(text, text_name, {});
    if (!same) return "cannot be edited: " + same.error().text();
    if (*same != text) return "an edit of nothing changes the text";

    const auto changed = tool::edit_topology(text, text_name,
                                             {{StatementKind::machine, "MessageTime", "2us"},
                                              {StatementKind::torus_name, "Latency", tool::latency_value(3e-6)}});
    if (!changed) return misplaced(changed.error(), text);
    const auto read = read_topology_text(*changed, text_name);
    if (!read) return "cannot be read after an edit: " + read.error().text() + "\n" + *changed;
    const Fabric& other = read->fabric;
    if (other.costs.message_time != 2e-6) return "has another MessageTime than was set:\n" + *changed;
    if (fabric.torus() != nullptr && other.torus()->dimensions().back().latency != 3e-6) {
        return "has another latency than was set:\n" + *changed;
    }
    return other.hosts.size() == fabric.hosts.size() ? "" : "has other hosts after an edit:\n" + *changed;
}

}  // namespace

std::string topology_complaint(std::string_view bytes) {
    const auto file = read_topology_text(bytes, text_name);
    if (!file) return misplaced(file.error(), bytes);
    for (const Error& note : file->notes) {
        if (std::string wrong = misplaced(note, bytes); !wrong.empty()) return wrong;
    }
    if (std::string wrong = disorder(file->fabric); !wrong.empty()) return wrong;
    const auto again = read_topology_text(bytes, text_name);
    if (!again || again->fabric.digest() != file->fabric.digest()) return "another network when it is read again";
    if (std::string wrong = lost_names(file->fabric.hosts); !wrong.empty()) return wrong;
    return wrong_edit(bytes, file->fabric);
}

}  // namespace coll_topo::fuzz
