# SPDX-License-Identifier: BSD-3-Clause
"""Whether two runs of a program have the same results."""
import itertools
from dataclasses import dataclass, field


@dataclass
class Agreement:
    """What comparing runs with the first one has shown so far."""
    values: int = 0                 # that a run has
    farthest: float = 0             # relative difference of two numbers that may differ
    differences: list = field(default_factory=list)   # texts, of what is not the same

    def add(self, title, reference, other):
        """Compares a Reading with that of reference."""
        self.values = len(reference)
        for name in reference.keys() | other.keys():
            if name not in reference or name not in other:
                self.differences.append(f"{title}: only one run has '{name}'")
                continue
            self._compare(f"{title}: {name}", reference[name], other[name])

    def _compare(self, title, expected, found):
        if expected.tolerance == 0 or isinstance(expected.value, str):
            if expected.value != found.value:
                self.differences.append(f"{title}: {_first_difference(str(found.value), str(expected.value))}")
            return
        size = max(abs(expected.value), abs(found.value))
        difference = abs(expected.value - found.value) / size if size else 0
        if not difference <= expected.tolerance:  # also where one is no number
            self.differences.append(f"{title}: {found.value:.12g} instead of {expected.value:.12g}")
        else:
            self.farthest = max(self.farthest, difference)


def _first_difference(one, other):
    """Of two texts, in words: the first lines that are not the same."""
    for found, expected in itertools.zip_longest(one.splitlines(), other.splitlines(), fillvalue="nothing"):
        if found != expected:
            return f"{found} instead of {expected}"
    return "other line breaks"
