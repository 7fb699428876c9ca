// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <simgrid/s4u.hpp>

namespace coll_topo::simulate {

/// The one thread of a rank, which serves its lanes in turn. A lane whose turn it is goes on until it has started its
/// next messages or must wait for one, as in the executor.
class Processor {
public:
    void take() { free_->lock(); }
    void give_up() { free_->unlock(); }

private:
    simgrid::s4u::MutexPtr free_ = simgrid::s4u::Mutex::create();
};

}  // namespace coll_topo::simulate
