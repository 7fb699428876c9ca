# SPDX-License-Identifier: BSD-3-Clause
"""Simulated times of all algorithms on tori and meshes of many shapes."""
import random
from dataclasses import dataclass
from math import prod

LINKS = "Bandwidth=12.5GB/s Latency=0.5us"


@dataclass(frozen=True)
class Network:
    title: str
    dims: tuple
    wrapped: bool = True
    hosts: tuple = ()  # numbers of those that take part; none: all

    def topology(self):
        shape = "x".join(map(str, self.dims))
        return (f"TorusName=t Dims={shape} Wrap={('y' if self.wrapped else 'n') * len(self.dims)} "
                f"Nodes=n[0000-{prod(self.dims) - 1:04}] {LINKS}\n")

    def options(self):
        if not self.hosts:
            return []
        return ["--hosts", "n[" + ",".join(f"{host:04}" for host in self.hosts) + "]"]


def drawn_at_random(hosts, size):
    return tuple(sorted(random.Random(1).sample(range(size), hosts)))


NETWORKS = {
    "8x8": Network("torus 8x8", (8, 8)),
    "16x16": Network("torus 16x16", (16, 16)),
    "64x64": Network("torus 64x64", (64, 64)),
    "64x16": Network("torus 64x16", (64, 16)),
    "8x8x8": Network("torus 8x8x8", (8, 8, 8)),
    "5x7": Network("torus 5x7", (5, 7)),
    "12x10x6": Network("torus 12x10x6", (12, 10, 6)),
    "mesh-16x16": Network("mesh 16x16", (16, 16), wrapped=False),
    "half-16x16": Network("torus 16x16, half of it: 16x8 hosts", (16, 16), hosts=tuple(range(128))),
    "random-16x16": Network("torus 16x16, 128 hosts of it drawn at random", (16, 16), hosts=drawn_at_random(128, 256)),
}


@dataclass
class Table:
    """One collective on one network."""
    network: Network
    collective: str
    sizes: list
    on_request: set   # algorithms that run only when asked for
    with_costs: dict  # algorithm -> size -> Time
    links_only: dict

    def fastest(self, size):
        """The name of the algorithm, or None."""
        times = {name: by_size[size].seconds for name, by_size in self.with_costs.items() if size in by_size}
        return min(times, key=times.get, default=None)

    def choice(self, size):
        """The name of the algorithm that coll_topo takes by itself, or None."""
        return next((name for name, by_size in self.with_costs.items() if size in by_size and by_size[size].chosen),
                    None)

    def ratio(self, name, size):
        """Its time over that of the fastest."""
        return self.with_costs[name][size].seconds / self.with_costs[self.fastest(size)][size].seconds


def measure(simulator, pool, network, collective, sizes, report):
    """Simulates in parallel."""
    plans = [(plan, size) for size in sizes for plan in simulator.plans(network, collective, size)]
    tasks = {(plan.algorithm, size, costs): pool.submit(simulator.time, network, collective, plan, size, costs)
             for plan, size in plans for costs in (True, False)}
    found = {True: {}, False: {}}
    for done, ((name, size, costs), task) in enumerate(tasks.items(), 1):
        report(f"{network.title}, {collective}: {done} of {len(tasks)}")
        if task.result() is not None:
            found[costs].setdefault(name, {})[size] = task.result()
    on_request = {plan.algorithm for plan, _ in plans if plan.kind != plan.OWN}
    return Table(network, collective, sizes, on_request, found[True], found[False])
