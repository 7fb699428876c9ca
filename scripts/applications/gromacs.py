# SPDX-License-Identifier: BSD-3-Clause
"""GROMACS: water with PME, made by its own tools."""
import re

from .program import HERE, Program, Reading, Value, call, number

TOLERANCE = 2e-5  # the log has six digits
WIDTH = 15        # of a column in the log
BOX = "/usr/share/gromacs/top/spc216.gro"  # of the package: 216 molecules
TOPOLOGY = """#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"
[ system ]
water
[ molecules ]
SOL {molecules}
"""


class Gromacs(Program):
    name = "gromacs"
    title = "GROMACS, water with PME"
    packages = ("gromacs",)
    compared = ("The coordinates and velocities of all atoms at the end, all digits that it writes; "
                f"the energies in its log, within {TOLERANCE:g}.")

    def prepare(self, folder, ranks, quick):
        call(["gmx", "-quiet", "genconf", "-f", BOX, "-nbox", "2", "-o", "water.gro"], folder)
        molecules = (folder / "water.gro").read_text().count(" OW ")
        (folder / "water.top").write_text(TOPOLOGY.format(molecules=molecules))
        options = (HERE / "water.mdp").read_text()
        (folder / "water.mdp").write_text(options.replace("nsteps = 20", "nsteps = 5") if quick else options)
        call(["gmx", "-quiet", "grompp", "-f", "water.mdp", "-c", "water.gro", "-p", "water.top", "-o", "water.tpr"],
             folder)

    def command(self, inputs):
        # As many ranks do PME as do the rest, nothing is tuned while it runs, and rounding is the same in every run.
        return ["gmx_mpi", "-quiet", "mdrun", "-s", f"{inputs}/water.tpr", "-deffnm", "run", "-ntomp", "1",
                "-npme", "0", "-notunepme", "-dlb", "no", "-reprod", "-nb", "cpu", "-pin", "off"]

    def read(self, folder, said):
        log, final = folder / "run.log", folder / "run.gro"
        if not log.exists() or not final.exists():
            raise self.missing(f"where the atoms are:\n{said[-2000:]}")
        text = log.read_text()
        seconds = re.search(r"^ +Time: +\S+ +(\S+)", text, re.MULTILINE)
        if not seconds:
            raise self.missing("its wall time")
        values = {"atoms": Value(final.read_text().split("\n", 1)[1])}
        for step, block in re.findall(r"^ +Step +Time\n +(\d+) .*?^ +Energies \(kJ/mol\)\n(.*?)^$", text,
                                      re.MULTILINE | re.DOTALL):
            lines = block.splitlines()
            for names, numbers in zip(lines[::2], lines[1::2]):
                for at in range(0, len(names), WIDTH):
                    value = Value(number(numbers[at:at + WIDTH]), TOLERANCE)
                    values[f"step {step}, {names[at:at + WIDTH].strip()}"] = value
        parts = {"all steps": number(seconds.group(1))}
        for part in ("PME mesh", "PME 3D-FFT Comm."):
            found = re.search(rf"^ {re.escape(part)} +\d+ +\d+ +\d+ +(\S+)", text, re.MULTILINE)
            if found:
                parts[part] = number(found.group(1))
        return Reading(values, parts)
