# SPDX-License-Identifier: BSD-3-Clause
"""What scripts/try-applications has to know about a program."""
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from comparison import Failure

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Value:
    """A result. Numbers may differ by `tolerance`, relative to the larger one; with 0, and for text, nothing may."""
    value: object
    tolerance: float = 0


@dataclass(frozen=True)
class Reading:
    """What one run said: results by name, and seconds by part of the program, the main part first."""
    values: dict
    seconds: dict


class Program:
    name = ""        # as the user names it
    title = ""       # as the page does
    packages = ()    # of Debian, needed to run it
    limit = 180      # seconds that one run may take
    compared = ""    # for the page: what of the results is compared, and how exactly
    environment = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

    def prepare(self, folder, ranks, quick):
        """Makes the input of all runs in a folder that is empty."""

    def command(self, inputs):
        """What mpirun is to start. It runs in a folder of its own, next to which are the `inputs`."""
        raise NotImplementedError

    def shown(self):
        """The command as the page shows it."""
        return shlex.join(self.command("INPUTS")).replace(str(HERE.parents[1]) + "/", "")

    def read(self, folder, said):
        """The Reading of a run in a folder that printed this. A Failure if it did not come to its end."""
        raise NotImplementedError

    def has_ended(self, folder):
        """Whether a run that still goes on has done all that is wanted."""
        return False

    def missing(self, what):
        return Failure(f"{self.name} did not say {what}")


def call(command, folder):
    """Runs a command that prepares something."""
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        raise Failure(f"'{command[0]}' is missing") from None
    if done.returncode != 0:
        raise Failure(f"'{' '.join(map(str, command))}' ended with status {done.returncode}:\n{done.stdout}")
    return done.stdout


def number(text):
    try:
        return float(text)
    except ValueError:
        raise Failure(f"'{text}' is no number") from None
