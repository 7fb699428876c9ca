# SPDX-License-Identifier: BSD-3-Clause
"""Data-parallel training with mpi4py."""
import re

from .program import HERE, Program, Reading, Value, number

TOLERANCE = 1e-5  # gradients are sums of single precision over ranks, and each step goes on from the last one


class Training(Program):
    name = "training"
    title = "Training with mpi4py, gradients of 10 MB"
    packages = ("python3-mpi4py", "python3-numpy")
    compared = ("The loss of every step and the norm of the weights, "
                f"within {TOLERANCE:g}; all ranks have the same bits.")

    def prepare(self, folder, ranks, quick):
        self.steps = 2 if quick else 3

    def command(self, inputs):
        return ["/usr/bin/python3", str(HERE / "training_loop.py"), str(self.steps)]

    def read(self, folder, said):
        losses = re.findall(r"^step (\d+) loss (\S+)", said, re.MULTILINE)
        norm = re.search(r"^norm of the weights (\S+)$", said, re.MULTILINE)
        equal = re.search(r"^weights equal on all ranks: (\w+)$", said, re.MULTILINE)
        times = re.search(r"^median step (\S+) s, its allreduce (\S+) s$", said, re.MULTILINE)
        if not (losses and norm and equal and times):
            raise self.missing(f"losses, weights and times:\n{said[-2000:]}")
        values = {f"loss of step {step}": Value(number(loss), TOLERANCE) for step, loss in losses}
        values["norm of the weights"] = Value(number(norm.group(1)), TOLERANCE)
        values["weights equal on all ranks"] = Value(equal.group(1))
        return Reading(values, {"a step": number(times.group(1)), "its allreduce": number(times.group(2))})
