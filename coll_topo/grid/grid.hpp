// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/base/mixed_radix.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/grid/axis.hpp"
#include "coll_topo/grid/cartesian.hpp"
#include "coll_topo/grid/found_once.hpp"
#include "coll_topo/grid/host_cells.hpp"
#include "coll_topo/grid/leaf_arrangement.hpp"
#include "coll_topo/grid/placement.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo {

/// What an algorithm sees of the machine: the hosts of a communicator as a full box of places on ordered axes, each
/// host with one or more ranks, and the extra hosts that do not fit in the box, each served by a host of the box,
/// its proxy. Hosts 0 .. places()-1 are the box, first axis fastest; extra hosts follow.
class Grid {
public:
    /// The largest box found among the hosts of the placement. If it would not hold more than half of the hosts, all
    /// hosts stand on one axis in cell order instead. Fails if the fabric is not a torus.
    static Expected<Grid> from_torus(const Fabric& fabric, const Placement& placement);

    /// The hosts of each leaf on one axis, as many as makes the largest box, then the leaves: those of a group on one
    /// axis and groups on the next, columns and rows of a projective plane, or all on one, whichever loads the cables
    /// between switches least. The axes are in the order in which data are to be halved. If no box holds more than half
    /// of the hosts, all stand on one axis, leaf by leaf. Fails if the fabric has no switches, or they do not connect
    /// the hosts.
    static Expected<Grid> from_switches(const Fabric& fabric, const Placement& placement);

    /// The grid for whatever network the fabric is.
    static Expected<Grid> from_fabric(const Fabric& fabric, const Placement& placement);

    /// The axes with more than one place; of a torus in the order of the file.
    const std::vector<Axis>& axes() const { return axes_; }
    int ranks() const { return static_cast<int>(host_of_rank_.size()); }
    int hosts() const { return static_cast<int>(host_begin_.size()) - 1; }
    int places() const { return places_; }
    int extra_hosts() const { return hosts() - places_; }

    int host(int rank) const { return host_of_rank_[rank]; }
    int local_rank(int rank) const { return local_ranks_[rank]; }

    /// The coordinate of a place on an axis, and the place with another coordinate on the same line of the axis.
    int coordinate(int place, int axis) const { return digit(place, strides_[axis], axes_[axis].size); }
    int along(int place, int axis, int coordinate) const {
        if (skewed() && axis == 0) return place_on_leaf_[leaves_.leaf(place) * axes_[0].size + coordinate];
        return with_digit(place, strides_[axis], axes_[axis].size, coordinate);
    }

    /// On a projective plane, host number h of every leaf has columns and rows of its own, from the classes h and h + 1
    /// of parallel lines, so that together they use all cables of a leaf. Then only the first axis, the hosts of a
    /// leaf, joins places that differ in other coordinates too.
    bool skewed() const { return !place_on_leaf_.empty(); }

    /// Switches join the hosts: messages of a line of any axis go directly, and all of a host share its one port.
    bool switched() const { return !leaves_.empty(); }

    /// The ranks on a host in ascending order.
    std::span<const std::int32_t> ranks_of_host(int host) const {
        return {ranks_by_host_.data() + host_begin_[host], ranks_by_host_.data() + host_begin_[host + 1]};
    }
    int fewest_ranks_per_host() const { return fewest_ranks_per_host_; }
    int most_ranks_per_host() const { return most_ranks_per_host_; }

    /// Local rank of aggregator `number` of `aggregators` on a host: all ranks in order if every rank is one, else as
    /// many different memory domains as there are.
    int aggregator_index(int host, int number, int aggregators) const;
    int aggregator_rank(int host, int number, int aggregators) const {
        return ranks_of_host(host)[aggregator_index(host, number, aggregators)];
    }
    /// The number of the aggregator that a rank is, or -1.
    int aggregator_number(int rank, int aggregators) const;

    /// How many aggregators a host should have by its memory domains, 1 .. fewest_ranks_per_host().
    int natural_aggregators() const { return natural_aggregators_; }

    /// The proxy of an extra host, a host of the box, and the extra host of a place that is a proxy, or -1.
    int proxy(int extra_host) const { return proxy_[extra_host - places_]; }
    /// The place of a host in the box: its own, or that of its proxy.
    int place_of(int host) const { return host < places_ ? host : proxy(host); }
    int extra_host_of(int place) const { return extra_host_of_.empty() ? -1 : extra_host_of_[place]; }

    /// What the ranks' own work costs.
    const MachineCosts& costs() const { return costs_; }
    /// The same while all ranks of a host are at work, and share its memory.
    MachineCosts costs_together() const { return costs_.shared_by(most_ranks_per_host_); }

    /// Of all ranks, if they share one memory, wherever the network has their hosts; 0: they do not, or it is not
    /// known.
    int processors() const { return processors_; }
    void set_processors(int processors) { processors_ = processors; }
    /// Whether there are fewer of them than ranks.
    bool takes_turns() const { return processors_ > 0 && ranks() > processors_; }

    /// The hosts by leaf switches; empty on a torus.
    const LeafArrangement& leaves() const { return leaves_; }

    /// The cells of all hosts, extra hosts too; null on switches.
    const HostCells* cells() const { return cells_ ? &*cells_ : nullptr; }
    /// Whether the only axis is a line that goes through a torus of several dimensions: then messages need not go along
    /// it, and have shorter ways.
    bool winds() const;
    /// Whether messages go along the axes: not on a line that winds, nor on a torus in which other hosts stand between
    /// or beside those of the box, where ways lead out of it.
    bool keeps_to_axes() const;
    /// Whether only single cables tell which messages meet: on a torus where they do not keep to the axes, and through
    /// switches that other hosts are on as well.
    bool only_cables_tell() const { return switched() ? leaves_.routes.pass_hosts() : !keeps_to_axes(); }

    /// On switches, the ranks in the order of groups, leaves, hosts, and ranks of a host; empty on a torus.
    const std::vector<std::int32_t>& ranks_by_switches() const { return ranks_by_switches_; }
    /// The number of a rank in that order.
    int number_by_switches(int rank) const { return number_by_switches_[rank]; }

    /// Orders of all places, as `find` gives them when this is first called: always the same function.
    template <typename Find>
    const std::vector<std::vector<std::int32_t>>& cycles(Find&& find) const {
        return cycles_.get(std::forward<Find>(find));
    }

    /// Trees over all hosts, some from the same root for some collective, as `find` gives them when this is first
    /// called for these: always the same function.
    struct TreesKey {
        int root, trees, collective;
        auto operator<=>(const TreesKey&) const = default;
    };
    template <typename Find>
    const std::vector<std::vector<std::int32_t>>& trees(const TreesKey& key, Find&& find) const {
        return trees_.get(key, std::forward<Find>(find));
    }
    /// Likewise of trees over all ranks, as VisitingTrees takes them: their shape, and how often they enter each host.
    struct TreesForm {
        int shape, visits;
    };
    template <typename Find>
    const TreesForm& trees_form(const TreesKey& key, Find&& find) const {
        return trees_forms_.get(key, std::forward<Find>(find));
    }

    /// The Cartesian topology of the communicator; null if it has none. One that is set has as many ranks.
    const Cartesian* cartesian() const { return cartesian_ ? &*cartesian_ : nullptr; }
    void set_cartesian(std::optional<Cartesian> cartesian) { cartesian_ = std::move(cartesian); }

    /// One line for people: "4x4 hosts, 2 ranks each, 1 extra host", "1 host, 8 ranks each, in turns on 2 processors".
    std::string summary() const;

private:
    friend class GridBuilder;

    /// Whether the aggregators of a host are the first of its ranks, or all of them.
    bool aggregators_are_first(int host, int aggregators) const;

    std::vector<Axis> axes_;
    std::vector<std::int32_t> strides_;  // by axis, in place numbers
    int places_ = 1;
    int fewest_ranks_per_host_ = 0;
    int most_ranks_per_host_ = 0;
    int natural_aggregators_ = 1;
    int processors_ = 0;
    MachineCosts costs_;
    LeafArrangement leaves_;
    std::optional<HostCells> cells_;
    std::optional<Cartesian> cartesian_;
    std::vector<std::int32_t> host_of_rank_;
    std::vector<std::int32_t> local_ranks_;
    std::vector<std::int32_t> host_begin_;
    std::vector<std::int32_t> ranks_by_host_;
    std::vector<std::int32_t> preference_;  // per host: local ranks, one of each memory domain first; empty: in order
    std::vector<std::int32_t> proxy_;       // by extra host
    std::vector<std::int32_t> extra_host_of_;  // by place; empty without extra hosts
    std::vector<std::int32_t> place_on_leaf_;  // skewed: by leaf and first coordinate
    std::vector<std::int32_t> ranks_by_switches_;
    std::vector<std::int32_t> number_by_switches_;  // by rank
    FoundOnce<std::vector<std::vector<std::int32_t>>> cycles_;
    FoundOnceForKey<TreesKey, std::vector<std::vector<std::int32_t>>> trees_;
    FoundOnceForKey<TreesKey, TreesForm> trees_forms_;
};

}  // namespace coll_topo
