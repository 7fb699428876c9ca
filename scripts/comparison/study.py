# SPDX-License-Identifier: BSD-3-Clause
"""What is measured, and the measurements of one collective on one network."""
import csv
import io
import sys
from dataclasses import dataclass, field

from . import Failure

NETWORKS = {
    "torus-4x4": ["torus", "4x4"],
    "torus-2x2x2": ["torus", "2x2x2"],
    "mesh-3x3": ["mesh", "3x3"],
    "fat-tree-4x2": ["fat-tree", "4x2", "--hosts-per-leaf", "4"],
}
QUICK_NETWORKS = ["torus-4x4", "torus-2x2x2"]
QUICK = {"allreduce": ["64KiB", "1MiB", "4MiB"], "allgather": ["1MiB"], "bcast": ["1MiB"]}
COLLECTIVES = ["allreduce", "reduce_scatter", "reduce_scatter_block", "allgather", "bcast", "reduce", "alltoall"]
SIZES = ["1KiB", "8KiB", "64KiB", "512KiB", "4MiB"]

REPETITIONS, QUICK_REPETITIONS = 15, 9

# A forced algorithm of tuned that took this many times as long as the best one at the size below is not tried again.
HOPELESS = 2.0
# Of tuned's, and what every algorithm of coll_topo is called in the table of a run.
TUNED, TOPO = "tuned:", "topo:"


@dataclass
class Plan:
    networks: list
    collectives: dict
    repetitions: int
    seconds: float = 30
    trial_repetitions: int = 3
    trial_seconds: float = 8
    quiet: float = 10
    progress: bool = field(default_factory=lambda: sys.stderr.isatty())

    @staticmethod
    def of(arguments):
        networks = arguments.networks.split(",") if arguments.networks else (
            QUICK_NETWORKS if arguments.quick else list(NETWORKS))
        for network in networks:
            if network not in NETWORKS:
                raise Failure(f"no network '{network}'; there are {', '.join(NETWORKS)}")
        collectives = QUICK if arguments.quick else {collective: SIZES for collective in COLLECTIVES}
        if arguments.collectives:
            collectives = {name: collectives.get(name, SIZES) for name in arguments.collectives.split(",")}
        if arguments.sizes:
            collectives = {name: arguments.sizes.split(",") for name in collectives}
        return Plan(networks, collectives, repetitions=QUICK_REPETITIONS if arguments.quick else REPETITIONS)


def measure(plan, cluster, network, collective, sizes, folder, forced):
    """The rows of one collective on one network. `forced` remembers tuned's best algorithms, so that another run
    compares the same."""
    trials = []
    best = forced.setdefault((network, collective), [])
    if not best:
        candidates, own = ["tuned:*"], ["topo:*"]
        for size in sizes:
            rows = _bench(plan, cluster, network, folder / f"{collective}-forced-{size}.csv",
                          ["--collectives", collective, "--sizes", size,
                           "--components", ",".join([*candidates, *own]),
                           "--repetitions", str(plan.trial_repetitions), "--seconds", str(plan.trial_seconds)])
            trials += [{**row, "trial": True} for row in rows]
            times = {row["component"]: row["median_us"] for row in rows if row["component"].startswith(TUNED)}
            fastest = min(times, key=times.get)
            candidates = [name for name in times if times[name] <= HOPELESS * times[fastest]]
            own = [row["component"] for row in rows if row["component"].startswith(TOPO) and row["served"] == "yes"]
            if fastest not in best:
                best.append(fastest)
    rows = _bench(plan, cluster, network, folder / f"{collective}.csv",
                  ["--collectives", collective, "--sizes", ",".join(sizes),
                   "--components", ",".join(["topo", "tuned", *best, "han", "basic"]),
                   "--repetitions", str(plan.repetitions), "--seconds", str(plan.seconds),
                   "--svg", str((folder / f"{collective}.svg").resolve())])
    return [{**row, "trial": False} for row in rows] + trials


def _bench(plan, cluster, network, file, words):
    print(f"compare: {network}: {' '.join(words[:6])}", file=sys.stderr, flush=True)
    progress = ["--progress"] if plan.progress else []
    table = cluster.bench(*words, "--quiet", str(plan.quiet), *progress)
    file.write_text(table)
    return [_typed(row, network) for row in csv.DictReader(io.StringIO(table))]


def _typed(row, network):
    typed = {"network": network}
    for name, value in row.items():
        if name.startswith("ratio_to_"):
            continue
        try:
            typed[name] = float(value) if "." in value else int(value)
        except ValueError:
            typed[name] = value
    return typed


def forced_algorithms(rows, network):
    """What of coll_topo was measured when forced: collective -> bytes -> algorithm -> microseconds."""
    found = {}
    for row in rows:
        if row["network"] == network and row["component"].startswith(TOPO) and row["served"] == "yes":
            times = found.setdefault(row["collective"], {}).setdefault(row["bytes"], {})
            times[row["component"].removeprefix(TOPO)] = row["median_us"]
    return found
