// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {

/// One thing measured several times, in seconds or bytes/s.
struct MeasuredValue {
    double median = 0;
    double lower_quartile = 0;
    double upper_quartile = 0;
    int trials = 0;  ///< 0: not measured

    /// The factor between the quartiles: 1 if the trials agree, infinite if one of the quartiles is not above 0.
    double spread() const;
};

/// The value that so many trials give; not measured if there are none.
MeasuredValue summarise(std::vector<double> trials);

/// What coll-topo-measure has measured, as it writes it and coll-topo calibrate reads it.
struct MeasuredCosts {
    std::string network;  ///< as coll-topo check sums it up
    std::string mpi;
    int hosts = 0;
    MeasuredValue message_time;        ///< to send and receive one of many messages, all hosts at once
    MeasuredValue local_message_time;  ///< likewise, of one message between two ranks of a host
    MeasuredValue local_bandwidth;     ///< from one rank to another of its host
    MeasuredValue reduce_bandwidth;    ///< of combining, all hosts at once
    MeasuredValue copy_bandwidth;      ///< likewise
    /// Of copying, by all ranks of a host together; not measured if that is no less than all of them one by one.
    MeasuredValue memory_bandwidth;
    MeasuredValue start_latency;  ///< what a message takes beside its sender's and receiver's work, and beside hops
    std::vector<MeasuredValue> hop_latency;  ///< of a torus: by dimension; of switches: of a cable between two
    std::vector<MeasuredValue> bandwidth;    ///< of a torus: of a cable, by dimension; of switches: of a host's cable
};

/// As JSON by share/coll-topo-measured.schema.json.
std::string measured_json(const MeasuredCosts& costs);

/// Reads it back; `name` stands for the text in messages.
Expected<MeasuredCosts> read_measured_json(std::string_view text, const std::string& name);

}  // namespace coll_topo::tool
