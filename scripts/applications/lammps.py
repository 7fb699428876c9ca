# SPDX-License-Identifier: BSD-3-Clause
"""LAMMPS: ions of molten salt, with PPPM."""
import shutil

from .program import HERE, Program, Reading, Value, number

TOLERANCE = 1e-9  # energies are sums over ranks
FIRST, AFTER = "Step Temp", "Loop time of "


class Lammps(Program):
    name = "lammps"
    title = "LAMMPS, PPPM with collective communication"
    packages = ("lammps",)
    compared = f"Temperature, energies and pressure of every step, within {TOLERANCE:g} of their size."
    collective = "yes"

    def prepare(self, folder, ranks, quick):
        shutil.copy(HERE / "salt.lammps", folder)
        self.steps = 3 if quick else 10

    def command(self, inputs):
        return ["lmp", "-in", f"{inputs}/salt.lammps", "-log", "none", "-var", "steps", str(self.steps),
                "-var", "collective", self.collective]

    def read(self, folder, said):
        lines = iter(said.splitlines())
        names = next((line.split() for line in lines if line.strip().startswith(FIRST)), None)
        if names is None:
            raise self.missing(f"'{FIRST}'")
        values = {}
        for line in lines:
            if line.startswith(AFTER):
                return Reading(values, {"steps": number(line.removeprefix(AFTER).split()[0])})
            words = line.split()
            if len(words) == len(names) and words[0].isdigit():
                values.update({f"step {words[0]}, {name}": Value(number(word), TOLERANCE)
                               for name, word in zip(names[1:], words[1:])})
        raise self.missing(f"'{AFTER}'")


class LammpsPointToPoint(Lammps):
    name = "lammps-default"
    title = "LAMMPS, PPPM as it is by default"
    collective = "no"
