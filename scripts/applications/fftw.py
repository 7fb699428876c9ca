# SPDX-License-Identifier: BSD-3-Clause
"""A Fourier transform in three dimensions with FFTW's library for MPI."""
import re

from .program import HERE, Program, Reading, Value, call, number

TOLERANCE = 1e-12  # the sum is over ranks
LARGEST_ERROR = 1e-14


class Fftw(Program):
    name = "fftw"
    title = "FFTW, transforms of a cube, in slabs"
    packages = ("libfftw3-dev", "libfftw3-mpi-dev", "gcc", "libopenmpi-dev")
    compared = f"A weighted sum over the transform, within {TOLERANCE:g}; and that the inverse gives back the numbers."

    def prepare(self, folder, ranks, quick):
        call(["mpicc", "-O2", "-o", "fft_3d", HERE / "fft_3d.c", "-lfftw3_mpi", "-lfftw3", "-lm"], folder)
        self.edge, self.repetitions = 64 if quick else 128, 1 if quick else 3

    def command(self, inputs):
        return [f"{inputs}/fft_3d", str(self.edge), str(self.repetitions)]

    def read(self, folder, said):
        found = dict(re.findall(r"^(sum|error|seconds|planning) (\S+)$", said, re.MULTILINE))
        if len(found) != 4:
            raise self.missing(f"sum, error, seconds and planning:\n{said[-2000:]}")
        inverse = "gives back the numbers" if number(found["error"]) <= LARGEST_ERROR else f"is off by {found['error']}"
        return Reading({"sum": Value(number(found["sum"]), TOLERANCE), "inverse": Value(inverse)},
                       {"two transforms": number(found["seconds"]), "planning": number(found["planning"])})
