# SPDX-License-Identifier: BSD-3-Clause
"""Simulated times of all algorithms on tori and meshes of many shapes."""
import csv
import io
import random
import subprocess
from dataclasses import dataclass
from math import prod
from pathlib import Path

LINKS = "Bandwidth=12.5GB/s Latency=0.5us"
SMALL = "TorusName=t Dims=4x4 Nodes=n[00-15]\n"  # what serves this serves tori


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


def half_at_random(size):
    return tuple(sorted(random.Random(1).sample(range(size), size // 2)))


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
    "random-16x16": Network("torus 16x16, 128 hosts of it drawn at random", (16, 16), hosts=half_at_random(256)),
}


@dataclass
class Time:
    seconds: float
    bound: float
    chosen: bool


@dataclass(frozen=True)
class Plan:
    """What coll_topo would run if this algorithm were to be taken."""
    algorithm: str
    lanes: str
    aggregators: str
    segments: str
    seconds: float  # predicted
    chosen: bool

    def name(self):
        return f"{self.algorithm}/{self.lanes}/{self.aggregators}/{self.segments}"


class Simulator:
    """Runs coll-topo, each simulation for so many seconds at most, and none whose time is known."""

    def __init__(self, tool, limit, give_up, folder, known):
        self.tool, self.limit, self.give_up = tool, limit, give_up
        self.folder, self.known = Path(folder), known

    def algorithms(self, collective):
        """Those that serve tori: name -> whether it runs only when asked for."""
        return {row["algorithm"]: "only when asked for" in row["remark"]
                for row in self._explain(self._file("small", SMALL), [], collective, "1KiB")}

    def plans(self, network, collective, size):
        """Of every algorithm that serves these hosts, the best one by prediction; none that is predicted to take more
        than `give_up` times as long as the fastest."""
        best = {}
        for row in self._explain(self._topology(network), network.options(), collective, size):
            before = best.get(row["algorithm"])
            if before is None or float(row["seconds"]) < float(before["seconds"]):
                best[row["algorithm"]] = row
        plans = [Plan(row["algorithm"], row["lanes"], row["aggregators"], row["segments"], float(row["seconds"]),
                      row["chosen"] == "true") for row in best.values()]
        longest = self.give_up * min((plan.seconds for plan in plans), default=0)
        return [plan for plan in plans if plan.seconds <= longest]

    def time(self, network, collective, plan, size, software_costs):
        """None if there are too many messages to simulate, or it takes too long."""
        costs = "on" if software_costs else "off"
        case = "/".join([network.title, collective, size, plan.name(), costs])
        if case not in self.known:
            text = self._run("simulate", self._topology(network), *network.options(), "--collective",
                             collective, "--bytes", size, "--algorithm", plan.algorithm, "--software-costs", costs,
                             "--format", "csv", "--jobs", "1")
            row = next(csv.DictReader(io.StringIO(text)), None) if text else None
            self.known.add(case, (row["seconds"], row["bound_seconds"]) if row and row["seconds"] else None)
        found = self.known[case]
        return found and Time(float(found[0]), float(found[1]), plan.chosen)

    def _topology(self, network):
        return self._file(network.title, network.topology())

    def _file(self, name, text):
        path = self.folder / f"{name}.conf"
        if not path.exists():
            path.write_text(text)
        return str(path)

    def _explain(self, topology, hosts, collective, size):
        text = self._run("explain", topology, *hosts, "--collective", collective, "--bytes", size, "--format", "csv")
        return [row for row in csv.DictReader(io.StringIO(text or "")) if row["seconds"]]

    def _run(self, *arguments):
        try:
            done = subprocess.run([self.tool, *arguments], capture_output=True, text=True, timeout=self.limit)
        except subprocess.TimeoutExpired:
            return None
        return done.stdout if done.returncode == 0 else None


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
    names = simulator.algorithms(collective)
    tasks = {(plan.algorithm, size, costs): pool.submit(simulator.time, network, collective, plan, size, costs)
             for size in sizes for plan in simulator.plans(network, collective, size) if plan.algorithm in names
             for costs in (True, False)}
    found = {True: {}, False: {}}
    for done, ((name, size, costs), task) in enumerate(tasks.items(), 1):
        report(f"{network.title}, {collective}: {done} of {len(tasks)}")
        if task.result() is not None:
            found[costs].setdefault(name, {})[size] = task.result()
    on_request = {name for name, asked_for in names.items() if asked_for}
    return Table(network, collective, sizes, on_request, found[True], found[False])
