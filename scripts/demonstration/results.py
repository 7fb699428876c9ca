# SPDX-License-Identifier: BSD-3-Clause
"""What the example program printed, and what follows from it."""
import re
from dataclasses import dataclass, field
from statistics import median

TOPO, TUNED, BASIC = COMPONENTS = ("coll_topo", "tuned", "basic")

LINE = re.compile(r"(\w+) +(\d+) bytes  hash ([0-9a-f]{16}) +([0-9.]+) us")


@dataclass
class Case:
    """One collective with one size."""
    collective: str
    bytes: int
    bound: float | None = None                   # seconds, the least that the links allow
    seconds: dict = field(default_factory=dict)  # component -> a median of each run
    hashes: set = field(default_factory=set)     # of what all ranks received, of all runs

    def time(self, component):
        return median(self.seconds[component])

    def equal(self):
        return len(self.hashes) == 1

    def times_as_fast_as(self, component):
        return self.time(component) / self.time(TOPO)

    def share_of_bound(self):
        return self.bound and self.bound / self.time(TOPO)


class Results:
    """Cases in the order in which the program ran them."""

    def __init__(self):
        self._cases = {}

    def add(self, component, line):
        """Takes a line of the program. The case it is about, or None if the line is no result."""
        match = LINE.search(line)  # a warning may stand before it
        if not match:
            return None
        key = (match[1], int(match[2]))
        case = self._cases.setdefault(key, Case(*key))
        case.hashes.add(match[3])
        case.seconds.setdefault(component, []).append(float(match[4]) / 1e6)
        return case

    def cases(self):
        return list(self._cases.values())

    def set_bounds(self, bounds):
        """`bounds`: (collective, bytes) -> seconds."""
        for key, case in self._cases.items():
            case.bound = bounds.get(key)

    def different(self):
        return [case for case in self.cases() if not case.equal()]


def bytes_text(count):
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size and count % size == 0:
            return f"{count // size} {unit}"
    return f"{count} B"


def time_text(seconds):
    """Three digits, or two decimals less: 12.4 ms, 190 ms, 3.02 s."""
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= 0.9995 * size or unit == "us":
            value = seconds / size
            return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {unit}"


def ratio_text(ratio):
    if ratio < 0.01:
        return "<0.01x"
    return f"{ratio:.{2 if ratio < 1.995 else 1 if ratio < 99.95 else 0}f}x"
