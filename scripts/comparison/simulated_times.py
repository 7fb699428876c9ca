# SPDX-License-Identifier: BSD-3-Clause
"""Simulated times that outlast a run, so that a run that was stopped can go on."""
import csv


class SimulatedTimes:
    """By name of a case: (seconds, seconds of the bound) as text, or None where there is no result."""

    def __init__(self, path):
        self._path, self._times = path, {}
        if path and path.exists():
            with path.open(newline="") as file:
                for case, seconds, bound in csv.reader(file):
                    self._times[case] = (seconds, bound) if seconds else None

    def __contains__(self, case):
        return case in self._times

    def __getitem__(self, case):
        return self._times[case]

    def add(self, case, times):
        self._times[case] = times
        if self._path:
            with self._path.open("a", newline="") as file:
                csv.writer(file).writerow([case, *(times or ("", ""))])
