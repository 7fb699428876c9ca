# SPDX-License-Identifier: BSD-3-Clause
"""What is measured, and the measurements of one collective on one network."""
import csv
import io
import sys
from dataclasses import dataclass, field

from . import Failure

USUAL_RATE = "25mbit"


@dataclass(frozen=True)
class Network:
    title: str
    shape: tuple           # as scripts/cluster up takes it
    family: str
    rate: str = USUAL_RATE   # of every link and direction, as this many hosts and switches allow on two processors


TORI, FAT_TREES = "tori", "fat-trees"
NETWORKS = {
    "torus-4x4": Network("torus 4x4", ("torus", "4x4"), TORI),
    "torus-2x2x2": Network("torus 2x2x2", ("torus", "2x2x2"), TORI),
    "torus-3x5": Network("torus 3x5", ("torus", "3x5"), TORI),
    "mesh-3x3": Network("mesh 3x3", ("mesh", "3x3"), TORI),
    "latin-square-7": Network("Latin square of order 2, 7 hosts", ("latin-square", "2", "--hosts-per-leaf", "1"),
                              FAT_TREES),
    "latin-square-14": Network("Latin square of order 2, 14 hosts", ("latin-square", "2", "--hosts-per-leaf", "2"),
                               FAT_TREES),
    "full-mesh-36": Network("multi-layer full mesh of 6 ports, 36 hosts", ("full-mesh", "6"), FAT_TREES, "12.5mbit"),
    "fat-tree-16": Network("fat tree of 4 leaves and 2 spines, 2:1, 16 hosts",
                           ("fat-tree", "4x2", "--hosts-per-leaf", "4"), FAT_TREES),
    "fat-tree-16-full": Network("fat tree of 4 leaves and 2 spines, two cables between each, 16 hosts",
                                ("fat-tree", "4x2", "--hosts-per-leaf", "4", "--cables", "2"), FAT_TREES),
}
QUICK_NETWORKS = ["torus-4x4", "torus-2x2x2", "torus-3x5", "latin-square-7", "latin-square-14", "full-mesh-36"]

SIZES = ["8", "1KiB", "8KiB", "64KiB", "512KiB", "4MiB"]
ALL = ["allreduce", "reduce_scatter", "reduce_scatter_block", "allgather", "bcast", "reduce", "alltoall"]
TREES = ["allreduce", "reduce", "bcast"]
FULL = {TORI: {collective: SIZES for collective in ALL}, FAT_TREES: {collective: SIZES for collective in TREES}}
QUICK = {TORI: {collective: ["8", "4KiB", "64KiB", "1MiB"]
                for collective in ["allreduce", "bcast", "reduce", "reduce_scatter", "allgather"]},
         FAT_TREES: {collective: ["8", "8KiB", "64KiB", "1MiB"] for collective in TREES}}

# A forced algorithm that is expected to take this many times as long as the fastest of its component is not tried at
# larger sizes.
HOPELESS = 3.0
# What seemed faster than coll_topo is called so many times as often when it is measured again.
AGAIN = 4
# What forced algorithms are called in the table of a run.
TUNED, TOPO = "tuned:", "topo:"
OTHERS = ["tuned", "han", "basic", TUNED + "*"]


@dataclass
class Plan:
    cases: dict         # network -> collective -> sizes
    repetitions: int
    seconds: float      # for all calls of one collective at one size
    components: tuple = ()
    quiet: float = 10
    progress: bool = field(default_factory=lambda: sys.stderr.isatty())

    @staticmethod
    def of(arguments):
        chosen = list(QUICK_NETWORKS if arguments.quick else NETWORKS)
        if arguments.networks:
            chosen = [network for word in arguments.networks.split(",") for network in networks_named(word)]
        cases = {}
        for network in chosen:
            family = NETWORKS[network].family
            usual = (QUICK if arguments.quick else FULL)[family]
            collectives = arguments.collectives.split(",") if arguments.collectives else list(usual)
            sizes = arguments.sizes.split(",") if arguments.sizes else None
            cases[network] = {name: sizes or usual.get(name, SIZES) for name in collectives}
        own = ["topo"] if arguments.only_others else ["topo", TOPO + "*"]
        return Plan(cases, repetitions=25 if arguments.quick else 41, seconds=20 if arguments.quick else 60,
                    components=(*own, *OTHERS))


def networks_named(word):
    """A network, or all of a family."""
    found = [name for name, network in NETWORKS.items() if word in (name, network.family)]
    if not found:
        raise Failure(f"no network '{word}'; there are {', '.join(NETWORKS)}, and the families {TORI} and {FAT_TREES}")
    return found


def measure(plan, cluster, network, collective, sizes, folder):
    """The rows of one collective on one network: all components and all forced algorithms, in turns, in one job."""
    print(f"compare: {network}: {collective} of {', '.join(sizes)}", file=sys.stderr, flush=True)
    table = _bench(plan, cluster, collective, sizes, plan.components, plan.repetitions,
                   "--give-up", str(HOPELESS), "--svg", str((folder / f"{collective}.svg").resolve()))
    (folder / f"{collective}.csv").write_text(table)
    return _rows(table, network)


def measure_again(plan, cluster, case):
    """The rows of coll_topo and of what seemed faster in this case, more often than before."""
    others = case.faster_than_topo()
    print(f"compare: {case.network}: {case.collective} of {case.bytes} B again, with {', '.join(others)}", file=sys.stderr,
          flush=True)
    table = _bench(plan, cluster, case.collective, [str(case.bytes)], ["topo", *others], AGAIN * plan.repetitions)
    return _rows(table, case.network)


def _bench(plan, cluster, collective, sizes, components, repetitions, *more):
    progress = ["--progress"] if plan.progress else []
    return cluster.bench("--collectives", collective, "--sizes", ",".join(sizes), "--components", ",".join(components),
                         "--repetitions", str(repetitions), "--seconds", str(plan.seconds), "--quiet", str(plan.quiet),
                         *more, *progress)


def _rows(table, network):
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
