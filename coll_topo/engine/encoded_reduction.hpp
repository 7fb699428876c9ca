// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/engine/engine.h"
#include "coll_topo/engine/operand_form.hpp"
#include "coll_topo/execute/certified_transport.hpp"
#include "coll_topo/execute/encoded_transport.hpp"
#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/workspace.hpp"
#include "coll_topo/reduction/exact_encoding.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// Memory of encoded reductions, kept with a communicator and reused.
struct EncodedMemory {
    CertifiedMemory certified;
    Workspace encoded;
    Workspace results;
    Workspace values;
    Workspace flags;
    std::vector<std::size_t> uncertain;  ///< elements
};

/// One call of a reducing collective whose operands travel in a form that makes the order of combining them irrelevant.
class EncodedReduction {
public:
    /// All that is given must outlive this. `workspace` is the executor's.
    EncodedReduction(const coll_topo_encoded_reduction& reduction, Plan& plan, Plan& allreduce,
                     coll_topo_transport& bytes, EncodedMemory& memory, Workspace& workspace)
        : reduction_(reduction),
          operand_(*operand_form(reduction.operand)),
          plan_(plan),
          allreduce_(allreduce),
          bytes_(bytes),
          memory_(memory),
          workspace_(workspace) {}

    /// 0, COLL_TOPO_OUT_OF_MEMORY, or the transport's error code.
    int run(const coll_topo_buffers& buffers);

private:
    int run_extreme(const coll_topo_buffers& buffers);
    int run_exact_sum(const coll_topo_buffers& buffers);
    int run_fixed_point(const coll_topo_buffers& buffers);

    /// Elements of the vector that this rank's `output` is of.
    struct Part {
        std::size_t begin, end;
    };
    Part part_of(const coll_topo_buffers& buffers) const;

    void list_uncertain(const void* output, Part part);
    int share_uncertain();
    int repair(std::byte* output, Part part);
    int repair_some(std::span<const std::size_t> elements, std::byte* output, Part part);
    int run_plan(Plan& plan, coll_topo_transport& transport, void* output, std::size_t elements);

    const coll_topo_encoded_reduction& reduction_;
    const OperandForm& operand_;
    Plan& plan_;
    Plan& allreduce_;
    coll_topo_transport& bytes_;
    EncodedMemory& memory_;
    Workspace& workspace_;
};

}  // namespace coll_topo
