# SPDX-License-Identifier: BSD-3-Clause
"""Data-parallel training, as simple as can be: each rank has its own examples and all weights, and each step sums the
gradients of all ranks, 10 MB, with one allreduce.

    mpirun ... python3 training_loop.py STEPS"""
import sys
import zlib

import numpy
from mpi4py import MPI

INPUTS, HIDDEN, OUTPUTS = 1000, 2000, 250   # 2.5 million weights of 4 bytes
EXAMPLES = 4                                # of each rank
RATE = 0.005


def layers(vector):
    """The two matrices of weights, as parts of one vector."""
    return vector[:INPUTS * HIDDEN].reshape(INPUTS, HIDDEN), vector[INPUTS * HIDDEN:].reshape(HIDDEN, OUTPUTS)


def examples(rank):
    """What a rank is to learn: sums of neighbouring inputs."""
    inputs = numpy.random.default_rng([2, rank]).standard_normal((EXAMPLES, INPUTS), dtype=numpy.float32)
    return inputs, inputs.reshape(EXAMPLES, OUTPUTS, -1).sum(axis=2)


def gradient_and_loss(weights, gradient, inputs, targets):
    (first, second), (first_gradient, second_gradient) = layers(weights), layers(gradient)
    hidden = numpy.maximum(inputs @ first, 0)
    error = hidden @ second - targets
    numpy.matmul(hidden.T, error, out=second_gradient)
    numpy.matmul(inputs.T, (error @ second.T) * (hidden > 0), out=first_gradient)
    return float((error.astype(numpy.float64) ** 2).sum())


def main(steps):
    world = MPI.COMM_WORLD
    draw = numpy.random.default_rng(1)
    weights = numpy.empty(INPUTS * HIDDEN + HIDDEN * OUTPUTS, dtype=numpy.float32)
    for layer in layers(weights):
        layer[:] = draw.standard_normal(layer.shape, dtype=numpy.float32) / numpy.sqrt(layer.shape[0])
    gradient = numpy.empty_like(weights)
    scale = numpy.float32(RATE / (EXAMPLES * world.size))
    inputs, targets = examples(world.rank)
    step_seconds, waiting_seconds = [], []
    for step in range(steps):
        world.Barrier()
        begin = MPI.Wtime()
        loss = gradient_and_loss(weights, gradient, inputs, targets)
        before = MPI.Wtime()
        world.Allreduce(MPI.IN_PLACE, gradient, op=MPI.SUM)
        waiting_seconds.append(MPI.Wtime() - before)
        weights -= scale * gradient
        loss = world.allreduce(loss) / (EXAMPLES * world.size)
        step_seconds.append(world.allreduce(MPI.Wtime() - begin, op=MPI.MAX))
        if world.rank == 0:
            print(f"step {step} loss {loss:.9g} seconds {step_seconds[-1]:.6f}", flush=True)
    checksum = zlib.crc32(weights)
    equal = world.allreduce(checksum, op=MPI.MIN) == world.allreduce(checksum, op=MPI.MAX)
    norm = float(numpy.sqrt((weights.astype(numpy.float64) ** 2).sum()))
    allreduce = world.reduce(float(numpy.median(waiting_seconds)), op=MPI.MAX)
    if world.rank == 0:
        print(f"norm of the weights {norm:.9g}")
        print(f"weights equal on all ranks: {'yes' if equal else 'no'}")
        print(f"median step {numpy.median(step_seconds):.6f} s, its allreduce {allreduce:.6f} s")


main(int(sys.argv[1]))
