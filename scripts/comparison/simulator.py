# SPDX-License-Identifier: BSD-3-Clause
"""Predicted and simulated times of algorithms on any network."""
import csv
import io
import subprocess
from dataclasses import dataclass
from pathlib import Path


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
    kind: str       # OWN, FIXED_ORDER (run only when asked for) or REFERENCE

    OWN = "own"
    FIXED_ORDER = "fixed order"
    REFERENCE = "reference"

    def name(self):
        return f"{self.algorithm}/{self.lanes}/{self.aggregators}/{self.segments}"


class Simulator:
    """Runs coll-topo, each simulation for so many seconds at most, and none whose time is known."""

    def __init__(self, tool, limit, give_up, folder, known):
        self.tool, self.limit, self.give_up = tool, limit, give_up
        self.folder, self.known = Path(folder), known

    def plans(self, network, collective, size):
        """Of every algorithm that serves these hosts, the one that is chosen, or the best one by prediction; none that
        is predicted to take more than `give_up` times as long as the fastest."""
        def rank(row):
            return row["chosen"] != "true", float(row["seconds"])

        best = {}
        for row in self._explain(self._topology(network), network.options(), collective, size):
            before = best.get(row["algorithm"])
            if before is None or rank(row) < rank(before):
                best[row["algorithm"]] = row
        plans = [Plan(row["algorithm"], row["lanes"], row["aggregators"], row["segments"], float(row["seconds"]),
                      row["chosen"] == "true", row["kind"]) for row in best.values()]
        longest = self.give_up * min((plan.seconds for plan in plans), default=0)
        return [plan for plan in plans if plan.seconds <= longest]

    def time(self, network, collective, plan, size, software_costs):
        """None if there are too many messages to simulate, or it takes too long."""
        costs = "on" if software_costs else "off"
        case = "/".join([network.title, collective, size, plan.name(), costs])
        if case not in self.known:
            text = self._run("simulate", self._topology(network), *network.options(), "--collective",
                             collective, "--bytes", size, "--algorithm", plan.algorithm, "--lanes", plan.lanes,
                             "--aggregators", plan.aggregators, "--segments", plan.segments, "--software-costs", costs,
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
