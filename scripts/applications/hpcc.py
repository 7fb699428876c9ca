# SPDX-License-Identifier: BSD-3-Clause
"""HPC Challenge, up to its section LatencyBandwidth."""
import re

from .program import HERE, Program, Reading, Value, number

OUTPUT = "hpccoutf.txt"
LAST = "Begin of LatencyBandwidth section."
SMALL, USUAL = 256, 512  # order of the matrix, on which the sizes of all parts depend


class Hpcc(Program):
    name = "hpcc"
    title = "HPC Challenge: FFT, RandomAccess and PTRANS"
    packages = ("hpcc",)
    limit = 240
    compared = ("Of FFT the distance of the numbers that came back from those that went, all digits; of PTRANS the "
                "residuals; of RandomAccess whether its own check passed, since its updates race by design.")

    def prepare(self, folder, ranks, quick):
        rows = max(divisor for divisor in range(1, ranks + 1) if ranks % divisor == 0 and divisor * divisor <= ranks)
        text = (HERE / "hpccinf.txt").read_text()
        for word, value in (("ORDER", SMALL if quick else USUAL), ("ROWS", rows), ("COLUMNS", ranks // rows)):
            text = re.sub(f"^{word} *", f"{value:<12}", text, flags=re.MULTILINE)
        (folder / "hpccinf.txt").write_text(text)

    def command(self, inputs):
        # It reads and writes where it is started.
        return ["sh", "-c", f"[ -e hpccinf.txt ] || cp {inputs}/hpccinf.txt . ; exec hpcc"]

    def has_ended(self, folder):
        output = folder / OUTPUT
        return output.exists() and LAST in output.read_text()

    def read(self, folder, said):
        output = folder / OUTPUT
        if not output.exists() or LAST not in output.read_text():
            raise self.missing(f"'{LAST}'")
        parts = dict(re.findall(r"^Begin of (\w+) section\.\n(.*?)^End of \1 section\.", output.read_text(),
                                re.MULTILINE | re.DOTALL))
        values, seconds = {}, {}
        fft = parts.get("MPIFFT", "")
        seconds["FFT"] = sum(number(self._one(fft, rf"^{name}:\s+(\S+)")) for name in ("Computing", "Inverse FFT"))
        values["FFT: max(|x-x0|)"] = Value(self._one(fft, r"^max\(\|x-x0\|\): (\S+)"))
        for part in ("MPIRandomAccess", "MPIRandomAccess_LCG"):
            text = parts.get(part, "")
            seconds[part.removeprefix("MPI")] = number(self._one(text, r"^Real time used = (\S+) seconds"))
            values[part] = Value(self._one(text, r"locations \((\w+)\)"))
        runs = re.findall(r"^WALL +\d+ .* (\S+) +(\S+) +\S+ +(\S+)$", parts.get("PTRANS", ""), re.MULTILINE)
        if not runs:
            raise self.missing("the times of PTRANS")
        seconds["PTRANS"] = sum(number(time) for time, *_ in runs)
        values["PTRANS"] = Value(", ".join(f"{check} {residual}" for _, check, residual in runs))
        return Reading(values, seconds)

    def _one(self, text, pattern):
        found = re.search(pattern, text, re.MULTILINE)
        if not found:
            raise self.missing(f"'{pattern}'")
        return found.group(1)
