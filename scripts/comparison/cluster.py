# SPDX-License-Identifier: BSD-3-Clause
"""A virtual cluster for the time of a measurement."""
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from . import Failure

COMMAND = str(Path(__file__).resolve().parents[1] / "cluster")
LONGEST_RUN = 3600  # seconds

# For tuned's forced algorithms: without segments its pipelines do not overlap anything. No effect on its own choices.
FORCED_SEGMENT = 16384
SEGMENTED = ("allreduce", "bcast", "reduce")


class Cluster:
    """`with Cluster(...)`: up, and down whatever happens."""

    def __init__(self, network, arguments, purpose="compare"):
        self.purpose = purpose
        self.name = f"{purpose}-{os.getpid()}"
        self.network = network
        self.arguments = arguments
        self.topology_file = None
        self.ranks = None

    def __enter__(self):
        try:
            rate = self.arguments.rate or self.network.rate
            self._call("up", *self.network.shape, "--rate", rate, "--name", self.name)
            self.topology_file = self._call("status", "--topology-file", "--name", self.name).strip()
            hosts = int(re.search(r"(\d+) hosts", self._call("status", "--name", self.name)).group(1))
            self.ranks = hosts * self.arguments.ranks_per_host
        except BaseException:
            self._down()
            raise
        return self

    def __exit__(self, *_):
        self._down()

    def bench(self, *words):
        """Runs coll-topo-bench on all hosts. Its table comes back; its remarks go to standard error."""
        build = self.arguments.build
        command = [COMMAND, "run", "--name", self.name, "--ranks-per-host", str(self.arguments.ranks_per_host),
                   "--pml", self.arguments.pml, "--timeout", str(LONGEST_RUN),
                   *(["--rendezvous"] if self.arguments.rendezvous else []), "--",
                   "--mca", "mca_base_component_path", f"{build / '.libs'}:SYS_DEFAULT",
                   "--mca", "coll_topo_topology_file", self.topology_file,
                   "--mca", "coll_tuned_use_dynamic_rules", "1"]
        for collective in SEGMENTED:
            command += ["--mca", f"coll_tuned_{collective}_algorithm_segmentsize", str(FORCED_SEGMENT)]
        done = subprocess.run([*command, str(build / "coll-topo-bench"), "--format", "csv", *words],
                              stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Failure(f"coll-topo-bench ended with status {done.returncode}: {' '.join(words)}")
        return done.stdout

    def _call(self, *words):
        done = subprocess.run([COMMAND, *words], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Failure(f"scripts/cluster {words[0]} ended with status {done.returncode}")
        return done.stdout

    def _down(self):
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second ctrl-C must not leave half a cluster
        try:
            done = subprocess.run([COMMAND, "down", "--name", self.name], stdout=subprocess.DEVNULL)
            if done.returncode != 0:
                print(f"{self.purpose}: the cluster {self.name} may still be up", file=sys.stderr)
        finally:
            signal.signal(signal.SIGINT, before)
