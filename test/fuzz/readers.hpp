// SPDX-License-Identifier: BSD-3-Clause
// What is fed with bytes nobody foresaw: by the fuzzer (scripts/check-fuzz), and, with the inputs that are kept in
// corpus/, by a unit test.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace coll_topo::fuzz {

/// Gives bytes to a reader, and checks what must hold whatever they are: that what is refused is refused with a message
/// and a place in the text, and that what is accepted is in good order and reads the same after it was written. Says
/// what does not hold; empty if all does.
using Complaint = std::string (*)(std::string_view bytes);

std::string topology_complaint(std::string_view bytes);
std::string rules_complaint(std::string_view bytes);
std::string hostlist_complaint(std::string_view bytes);
std::string quantity_complaint(std::string_view bytes);
std::string results_complaint(std::string_view bytes);
std::string measured_complaint(std::string_view bytes);
std::string measured_cables_complaint(std::string_view bytes);
std::string baseline_complaint(std::string_view bytes);
std::string conditions_complaint(std::string_view bytes);
std::string host_facts_complaint(std::string_view bytes);
std::string result_checks_complaint(std::string_view bytes);
std::string plan_complaint(std::string_view bytes);
std::string hwloc_complaint(std::string_view bytes);
std::string placement_complaint(std::string_view bytes);
std::string profile_complaint(std::string_view bytes);
std::string packed_profile_complaint(std::string_view bytes);
std::string peer_record_complaint(std::string_view bytes);
std::string ibnetdiscover_complaint(std::string_view bytes);
std::string ibnetdiscover_ports_complaint(std::string_view bytes);
std::string lldp_complaint(std::string_view bytes);
std::string slurm_topology_complaint(std::string_view bytes);
std::string slurm_yaml_complaint(std::string_view bytes);
std::string slurm_conf_complaint(std::string_view bytes);
std::string slurm_address_complaint(std::string_view bytes);

/// A reader, by the name that its folder in corpus/ has.
struct Reader {
    std::string_view name;
    Complaint complaint;
};
inline constexpr Reader readers[] = {
    {"topology", topology_complaint},
    {"rules", rules_complaint},
    {"hostlist", hostlist_complaint},
    {"quantity", quantity_complaint},
    {"results", results_complaint},
    {"measured", measured_complaint},
    {"measured_cables", measured_cables_complaint},
    {"baseline", baseline_complaint},
    {"conditions", conditions_complaint},
    {"host_facts", host_facts_complaint},
    {"result_checks", result_checks_complaint},
    {"plan", plan_complaint},
    {"hwloc", hwloc_complaint},
    {"placement", placement_complaint},
    {"profile", profile_complaint},
    {"packed_profile", packed_profile_complaint},
    {"peer_record", peer_record_complaint},
    {"ibnetdiscover", ibnetdiscover_complaint},
    {"ibnetdiscover_ports", ibnetdiscover_ports_complaint},
    {"lldp", lldp_complaint},
    {"slurm_topology", slurm_topology_complaint},
    {"slurm_yaml", slurm_yaml_complaint},
    {"slurm_conf", slurm_conf_complaint},
    {"slurm_address", slurm_address_complaint},
};

/// The reader with this name, or null.
inline const Reader* find_reader(std::string_view name) {
    for (const Reader& reader : readers) {
        if (reader.name == name) return &reader;
    }
    return nullptr;
}

}  // namespace coll_topo::fuzz
