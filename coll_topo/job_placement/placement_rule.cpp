// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/placement_rule.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/job_placement/even_spread.hpp"
#include "coll_topo/job_placement/free_box.hpp"
#include "coll_topo/job_placement/submesh_rules.hpp"

#include <algorithm>
#include <random>
#include <utility>

namespace coll_topo {
namespace {

bool is_torus(const JobSite& site) {
    return site.fabric.torus() != nullptr;
}
bool has_switches(const JobSite& site) {
    return !is_torus(site);
}
bool is_latin_square(const JobSite& site) {
    return site.leaf_grid.has_value();
}
bool is_any(const JobSite&) {
    return true;
}

template <Expected<JobPlacement> (*place)(const LeafGrid&, const Job&)>
Expected<JobPlacement> on_leaf_grid(const JobSite& site, const Job& job) {
    return place(*site.leaf_grid, job);
}

template <Expected<JobPlacement> (*place)(const Fabric&, const Job&)>
Expected<JobPlacement> on_fabric(const JobSite& site, const Job& job) {
    return place(site.fabric, job);
}

Expected<JobPlacement> place_first(const JobSite&, const Job& job) {
    JobPlacement placement;
    placement.hosts.assign(job.free_hosts.begin(), job.free_hosts.begin() + job.hosts);
    placement.shape = "no shape";
    placement.reason = "the first free hosts, in the order of the file";
    return placement;
}

/// Drawn with a generator whose numbers the C++ standard fixes, so that a seed means the same everywhere.
Expected<JobPlacement> place_random(const JobSite&, const Job& job) {
    std::vector<std::int32_t> hosts = job.free_hosts;
    std::mt19937_64 generator(job.seed);
    for (int drawn = 0; drawn < job.hosts; ++drawn) {
        const auto left = hosts.size() - static_cast<std::size_t>(drawn);
        std::swap(hosts[drawn], hosts[drawn + static_cast<std::ptrdiff_t>(generator() % left)]);
    }
    hosts.resize(job.hosts);
    std::sort(hosts.begin(), hosts.end());
    JobPlacement placement;
    placement.hosts = std::move(hosts);
    placement.shape = "no shape";
    placement.reason = "drawn at random with seed " + std::to_string(job.seed) + ", in the order of the file";
    return placement;
}

constexpr std::string_view latin_square = "Latin-square fat tree";

constexpr PlacementRule rules[] = {
    {"box", "the free box with the smallest surface", "torus or mesh", is_torus, on_fabric<place_free_box>},
    {"best-value", "the columns and rows of leaves with the best value of phases, use and position", latin_square,
     is_latin_square, on_leaf_grid<place_best_value>},
    {"even-spread", "as few groups of leaves as hold the job, the same share of each", "switches", has_switches,
     on_fabric<place_even_spread>},
    {"equal-hosts", "columns and rows with equally many hosts on every leaf", latin_square, is_latin_square,
     on_leaf_grid<place_equal_hosts>},
    {"powers-of-two", "columns and rows in powers of two, which have the fewest phases", latin_square, is_latin_square,
     on_leaf_grid<place_powers_of_two>},
    {"cube", "as many columns as rows as hosts of a leaf, or one more", latin_square, is_latin_square,
     on_leaf_grid<place_cube>},
    {"one-host-per-leaf", "k columns x k rows with k = floor(sqrt(hosts)) + 1, one host of each leaf", latin_square,
     is_latin_square, on_leaf_grid<place_one_host_per_leaf>},
    {"grow", "some columns, and as many rows as it takes", latin_square, is_latin_square, on_leaf_grid<place_grow>},
    {"first", "the first free hosts in the order of the file", "any network", is_any, place_first},
    {"random", "any free hosts, drawn with --seed", "any network", is_any, place_random},
};

}  // namespace

std::span<const PlacementRule> placement_rules() {
    return rules;
}

const PlacementRule* find_placement_rule(std::string_view name) {
    const auto found =
        std::find_if(std::begin(rules), std::end(rules), [&](const PlacementRule& rule) { return rule.name == name; });
    return found == std::end(rules) ? nullptr : found;
}

Expected<JobPlacement> place_job(const PlacementRule& rule, const JobSite& site, const Job& job) {
    const std::string name(rule.name);
    if (!rule.suits(site)) {
        return failure("rule " + name + " is for a " + std::string(rule.network) + ", but the file has " +
                       site.fabric.summary() + "; --rule list shows which rules suit it");
    }
    const auto free = static_cast<int>(job.free_hosts.size());
    std::string why = "there are " + counted(free, "free host", "free hosts");
    if (job.hosts <= free) {
        auto placement = rule.place(site, job);
        if (placement) return placement;
        why = placement.error().message;
    }
    const int largest = largest_job(rule, site, job);
    return failure("rule " + name + " cannot place a job of " + counted(job.hosts, "host", "hosts") + ": " + why +
                   "; the largest job that it can place has " + counted(largest, "host", "hosts"));
}

int largest_job(const PlacementRule& rule, const JobSite& site, const Job& job) {
    Job smaller = job;
    for (smaller.hosts = static_cast<int>(job.free_hosts.size()); smaller.hosts > 0; --smaller.hosts) {
        if (rule.place(site, smaller)) return smaller.hosts;
    }
    return 0;
}

}  // namespace coll_topo
