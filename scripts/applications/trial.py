# SPDX-License-Identifier: BSD-3-Clause
"""Running one program on one network with all components."""
import os
import shutil
import subprocess
import sys
import time

from comparison import Failure
from comparison.cluster import COMMAND

from . import catalogue, profile
from .agreement import Agreement

NOTICED = 0.05  # seconds between looks at a run
JOB = "whole job"
EXPLAINED, PROFILE = "topo-explained", "profile.json"


class Trial:
    """Runs in turns, A B A B, each in a folder of its own below `folder`."""

    def __init__(self, program, cluster, arguments, folder):
        self.program, self.cluster, self.arguments, self.folder = program, cluster, arguments, folder

    def measure(self):
        """What is kept: the seconds of all runs, by component and part, and whether results agree with the first."""
        shutil.rmtree(self.folder, ignore_errors=True)
        inputs = self.folder / "inputs"
        inputs.mkdir(parents=True)
        self.program.prepare(inputs, self.cluster.ranks, self.arguments.quick)
        agreement, seconds = Agreement(), {component: [] for component in self.arguments.components}
        reference = None
        for turn in range(1, self.arguments.rounds + 1):
            for component in seconds:
                reading = self._run(component, f"{component}-{turn}")
                seconds[component].append(reading.seconds)
                reference = reference or reading
                agreement.add(f"{component}, turn {turn}", reference.values, reading.values)
        if catalogue.TOPO in seconds:
            reading = self._explained()
            agreement.add("topo, explained", reference.values, reading.values)
        return {"seconds": seconds, "profile": profile.kept(self.folder / EXPLAINED / PROFILE),
                "turns": self.arguments.rounds, "values": agreement.values, "farthest": agreement.farthest,
                "differences": agreement.differences}

    def _explained(self):
        """One more run, not timed, in which coll_topo says what it does. A program that it does not serve at all would
        compare tuned with tuned."""
        reading = self._run(catalogue.TOPO, EXPLAINED, ["--mca", "coll_topo_verbose", "1", *self._profile()])
        output = self.folder / EXPLAINED / "output"
        if "coll_topo" not in output.read_text(errors="replace"):
            raise Failure(f"{self.program.name} ran without coll_topo: see {output}")
        return reading

    def _profile(self):
        """What makes this build of the component write a profile, if it can."""
        path = f"{self.arguments.build / '.libs'}:SYS_DEFAULT"  # an option --mca would come too late
        environment = {**os.environ, "OMPI_MCA_mca_base_component_path": path}
        known = subprocess.run(["ompi_info", "--param", "coll", "topo", "--level", "9", "--parsable"],
                               stdout=subprocess.PIPE, text=True, env=environment).stdout
        if ":coll_topo_profile:" not in known:
            return []
        return ["--mca", "coll_topo_profile", str(self.folder / EXPLAINED / PROFILE)]

    def _run(self, component, name, more=()):
        print(f"try-applications: {self.program.name} on {self.cluster.network.title}: {name}", file=sys.stderr,
              flush=True)
        folder = self.folder / name
        folder.mkdir()
        variables = [word for item in self.program.environment.items() for word in ("-x", "=".join(item))]
        command = [COMMAND, "run", "--name", self.cluster.name, "--ranks-per-host", str(self.arguments.ranks_per_host),
                   "--timeout", str(self.program.limit), *(["--rendezvous"] if self.arguments.rendezvous else []), "--",
                   *catalogue.selection(component, self.arguments.build / ".libs", self.cluster.topology_file), *more,
                   *variables, *self.program.command(self.folder / "inputs")]
        begin = time.monotonic()
        with open(folder / "output", "wb") as output:
            status, stopped = self._wait(subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT),
                                         folder)
        took = time.monotonic() - begin
        said = (folder / "output").read_text(errors="replace")
        if status != 0 and not stopped:
            raise Failure(f"{self.program.name} with {component} ended with status {status}"
                          f"{', it took too long' if status == 124 else ''}: see {folder / 'output'}\n{said[-1500:]}")
        reading = self.program.read(folder, said)
        reading.seconds[JOB] = took
        return reading

    def _wait(self, process, folder):
        """The status of a run, and whether it was stopped here, as all that is wanted of it was done."""
        stopped = False
        try:
            while True:
                try:
                    return process.wait(NOTICED), stopped
                except subprocess.TimeoutExpired:
                    if not stopped and self.program.has_ended(folder):
                        process.terminate()
                        stopped = True
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
