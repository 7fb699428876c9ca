// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/accept/acceptance.hpp"

#include <ostream>
#include <string>

namespace coll_topo::tool {

/// "Accepted", "Not accepted", or "Incomplete" where that is not known.
std::string verdict_text(const Acceptance& acceptance);

/// For people at a terminal: the verdict first, conditions, then each fault with what to do, and what was measured.
void write_report_text(const Acceptance& acceptance, std::ostream& out);

/// By share/coll-topo-accept.schema.json.
void write_report_json(const Acceptance& acceptance, std::ostream& out);

/// As JUnit has it: conditions are test cases, and those not tested are skipped.
std::string junit_text(const Acceptance& acceptance);

}  // namespace coll_topo::tool
