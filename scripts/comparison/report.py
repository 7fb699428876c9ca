# SPDX-License-Identifier: BSD-3-Clause
"""What follows from the measured rows."""
import csv
from dataclasses import dataclass, field
from itertools import combinations

from .study import TOPO, TUNED

ALLOWED_MOVEMENT = 0.10  # of a ratio of medians, between two measurements
LOSS = 1.05              # ratios above are called a loss
EQUAL = 0.05             # times that differ by less count as equal


@dataclass
class Case:
    """One collective and size on one network."""
    network: str
    collective: str
    bytes: int
    rows: dict        # component -> row
    chosen: str = ""  # coll_topo's choice, where it is known
    again: dict = field(default_factory=dict)  # likewise of the second measurement, of what seemed faster than coll_topo

    @property
    def key(self):
        return self.network, self.collective, self.bytes

    def median(self, component):
        return self.rows[component]["median_us"] if component in self.rows else None

    def best_forced(self):
        """The name of tuned's fastest forced algorithm, or None."""
        forced = [name for name in self.rows if name.startswith(TUNED)]
        return min(forced, key=self.median, default=None)

    def best_own(self):
        """The name of coll_topo's fastest forced algorithm, or None."""
        own = [name for name, row in self.rows.items() if name.startswith(TOPO) and row["served"] == "yes"]
        return min(own, key=self.median, default=None)

    def choice_and_best(self):
        """The medians of the chosen algorithm and of the fastest of coll_topo's, both forced, or of coll_topo beside that
        one in the second measurement; None if the choice was not measured."""
        best = self.best_own()
        if best in self.again:
            return self.again["topo"]["median_us"], self.again[best]["median_us"]
        chosen = self.median(TOPO + self.chosen)
        return (chosen, self.median(best)) if chosen and best else None

    def loss_by_choice(self):
        """The first of these over the second, or None."""
        medians = self.choice_and_best()
        return medians and medians[0] / medians[1]

    def topo_served(self):
        return "topo" in self.rows and self.rows["topo"]["served"] == "yes"

    def ratio(self, other):
        """coll_topo's median over another's, also where it left the work to the previous module; below 1, coll_topo is
        faster."""
        return _ratio(self.rows, other)

    def ratio_again(self, other):
        """Likewise in the second measurement, or None."""
        return _ratio(self.again, other)

    def lasting_ratio(self, other):
        """By the second measurement where there is one: the fastest of many has been lucky in the first."""
        return self.ratio_again(other) or self.ratio(other)

    def faster_others(self):
        """What took clearly less time than coll_topo, of tuned, its fastest forced algorithm, and basic."""
        return [name for name in ("tuned", self.best_forced(), "basic") if (self.ratio(name) or 0) > LOSS]

    def faster_than_topo(self):
        """These, and the fastest algorithm of its own if that took clearly less than the chosen one."""
        own = [self.best_own()] if (self.loss_by_choice() or 0) > 1 + EQUAL else []
        return self.faster_others() + own


def _ratio(rows, other):
    if "topo" not in rows or other not in rows:
        return None
    return rows["topo"]["median_us"] / rows[other]["median_us"]


def cases(rows, chosen=()):
    names = {(c["network"], c["collective"], c["bytes"]): c["algorithm"] for c in chosen}
    found = {}
    for row in rows:
        key = (row["network"], row["collective"], row["bytes"])
        found.setdefault(key, Case(*key, {}, names.get(key, ""))).rows[row["component"]] = row
    return list(found.values())


@dataclass
class Ranking:
    """Whether simulation and network agree on which of two is faster, for all pairs of algorithms of one case."""
    network: str
    collective: str
    bytes: int
    times: dict  # algorithm -> (measured, simulated), in us

    def pairs(self):
        return list(combinations(sorted(self.times, key=lambda name: self.times[name][0]), 2))

    def equal(self, pair):
        return any(abs(self.times[pair[0]][side] - self.times[pair[1]][side])
                   < EQUAL * max(self.times[pair[0]][side], self.times[pair[1]][side]) for side in (0, 1))

    def disagreements(self):
        """Pairs of which the first is faster on the network and slower in the simulation, beyond doubt."""
        return [pair for pair in self.pairs()
                if not self.equal(pair) and self.times[pair[0]][1] > self.times[pair[1]][1]]


class Result:
    def __init__(self, rows, simulated, chosen, more_runs, measured_again=()):
        self.cases = cases(rows, chosen)
        again = {case.key: case.rows for case in cases(measured_again)}
        for case in self.cases:
            case.again = again.get(case.key, {})
        self.rankings = self._rankings(rows, simulated)
        self.movements = [movement for again in more_runs for movement in self._movements(cases(again))]

    @staticmethod
    def _rankings(rows, simulated):
        times = {(s["network"], s["collective"], s["bytes"], s["algorithm"]): s["us"] for s in simulated}
        found = {}
        for row in rows:
            key = (row["network"], row["collective"], row["bytes"])
            algorithm = row["component"].removeprefix(TOPO)
            if row["component"].startswith(TOPO) and (*key, algorithm) in times:
                found.setdefault(key, Ranking(*key, {})).times[algorithm] = (row["median_us"],
                                                                             times[(*key, algorithm)])
        return [ranking for ranking in found.values() if len(ranking.times) > 1]

    def _movements(self, again):
        """(case, component, first ratio, second ratio): coll_topo's median over the component's."""
        second = {case.key: case for case in again}
        for case in self.cases:
            other = second.get(case.key)
            for component in ("tuned", case.best_forced(), "han", "basic"):
                ratios = (case.ratio(component), other and other.ratio(component))
                if None not in ratios:
                    yield case, component, *ratios

    @staticmethod
    def moved(first, second):
        return abs(second / first - 1)

    def moves_less_than(self, limit):
        return all(self.moved(first, second) < limit for _, _, first, second in self.movements)


def write_csv(rows, path):
    """A line for each row; their keys are the columns."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
