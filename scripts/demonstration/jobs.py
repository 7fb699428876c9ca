# SPDX-License-Identifier: BSD-3-Clause
"""Running the example program, on a virtual torus or on this machine alone."""
import os
import shlex
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from virtual_cluster import Failure, network, start, topologies, wiring

from . import private
from .results import BASIC, COMPONENTS, TOPO, TUNED, Results, bytes_text

SOURCE = Path(__file__).resolve().parents[2]
SHAPE, RATE, MTU = "4x4", "25mbit", 4096
RANKS = 16
CLUSTER = "demo"
TIME_LIMIT = 300  # seconds, of a job
BUSY = 0.1        # a share of the processors' time; more than this spoils times
CALLS = 4         # collectives of the program
# Beside the options that choose coll_topo: it says what it does, and the job ends if it cannot be used.
CHECKED = ["--mca", "coll_topo_verbose", "1", "--mca", "coll_topo_require", "1"]


class Setting:
    """The options of mpirun that choose each component, and where the program is."""

    def __init__(self, build, topology_file, *more):
        self.folder = build / "demo"
        self.folder.mkdir(exist_ok=True)
        self.program = str(build / "example" / "collectives")
        self.options = {
            TOPO: ["--mca", "mca_base_component_path", f"{build / '.libs'}:SYS_DEFAULT",
                   "--mca", "coll_topo_topology_file", str(topology_file), *more],
            TUNED: [],
            BASIC: ["--mca", "coll", "basic,libnbc,self"]}


@dataclass
class Run:
    results: Results
    busy: float    # the share of the processors' time that other programs took before
    topology: str  # the text of the topology file


def on_virtual_torus(build, sizes, rounds, step):
    """To be called in namespaces of our own: see private.py. Unavailable if the torus cannot be."""
    os.environ["DESCRIBE_NETWORK"] = str(build / "describe_network")
    with step(f"starting a virtual torus of {SHAPE} hosts, joined by cables of 25 Mbit/s"):
        cluster = up()
        busy = busy_share(1)
    setting = Setting(build, cluster.topology_file)
    launcher = [str(SOURCE / "scripts" / "cluster"), "run", "--name", CLUSTER, "--timeout", str(TIME_LIMIT), "--"]
    results = run_all(setting, launcher, sizes, rounds, step)
    results.set_bounds(bounds(cluster, results))
    return Run(results, busy, Path(cluster.topology_file).read_text())


def bounds(cluster, results):
    """Of the cases that need more than what the limiters of links let pass at once."""
    return network.bounds(cluster.topology_file, [(case.collective, case.bytes) for case in results.cases()],
                          wiring.head_start(start.rate(RATE), cluster.mtu))


def up():
    rate = start.rate(RATE)
    try:
        return start.up(CLUSTER, f"torus {SHAPE}", topologies.torus(SHAPE, True, rate, MTU), rate, MTU)
    except Failure as failure:
        raise private.Unavailable(str(failure)) from None


def on_one_machine(build, sizes, rounds, step):
    if os.geteuid() == 0:
        os.environ["OMPI_ALLOW_RUN_AS_ROOT"] = os.environ["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    setting = Setting(build, SOURCE / "share" / "topologies" / "torus-4x4.conf", "--mca", "coll_topo_place", "rank")
    launcher = ["timeout", str(TIME_LIMIT), "mpirun", "-np", str(RANKS), "--oversubscribe",
                "--mca", "mpi_yield_when_idle", "1"]
    return run_all(setting, launcher, sizes, rounds, step)


def run_all(setting, launcher, sizes, rounds, step):
    """All components in turns."""
    results = Results()
    for number in range(rounds):
        for component in COMPONENTS:
            title = f"running {os.path.relpath(setting.program)} on {RANKS} processes with {component}"
            with step(title + (f", round {number + 1} of {rounds}" if rounds > 1 else "")) as running:
                run(setting, launcher, component, sizes, results, running)
    return results


def run(setting, launcher, component, sizes, results, step):
    command = [*launcher, *setting.options[component], setting.program, *map(str, sizes)]
    if component == TOPO:
        command[len(launcher):len(launcher)] = CHECKED
    log, done, everything = setting.folder / f"{component}.log", 0, []
    with log.open("w") as file, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                                 text=True) as process:
        for line in process.stdout:
            file.write(line)
            everything.append(line)
            case = results.add(component, line)
            if case:
                done += 1
                step.note(f"{done} of {CALLS * len(sizes)}, {case.collective} of {bytes_text(case.bytes)}")
    if process.returncode != 0 or done < CALLS * len(sizes):
        raise SystemExit(f"demo: the run with {component} failed (status {process.returncode}). It said:\n" +
                         "".join(everything[-30:]) + f"The command was: {shlex.join(command)}")
    if component == TOPO and not any("coll_topo" in line for line in everything):
        raise SystemExit(f"demo: coll_topo did not say a word: it was not used. See {log}")


def busy_share(seconds):
    """Of this machine's processors, by whatever else runs on it."""
    def times():
        fields = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
        return sum(fields[:8]), fields[3] + fields[4]
    all_before, idle_before = times()
    time.sleep(seconds)
    everything, idle = (after - before for after, before in zip(times(), (all_before, idle_before)))
    return 1 - idle / everything if everything else 0
