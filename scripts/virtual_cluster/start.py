# SPDX-License-Identifier: BSD-3-Clause
"""Bringing a cluster up."""
import os
import re
import select
import shutil
import time
from pathlib import Path

from . import Failure, keeper, network, routing, state, topologies

# bit/s that a processor carries, all directions of all cables together: see doc/guide/virtual-cluster.md.
CAPACITY = 1e9
UNITS = {"bit": 1, "kbit": 1e3, "mbit": 1e6, "gbit": 1e9}


def rate(text):
    """bit/s, or None for "file"."""
    if text == "file":
        return None
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([kmg]?bit)(?:/s)?", text.lower())
    if not match or float(match[1]) == 0:
        raise Failure(f"'{text}' is no rate: write for instance 100mbit, or file for what the topology file says")
    return float(match[1]) * UNITS[match[2]]


def up(name, title, topology, wanted_rate, mtu, wires=None):
    """Makes a cluster. `topology` is the text of a topology file, or the Path of one; `wires` the Network as it is wired,
    if not as the file says."""
    for command in ("ip", "tc"):
        if not shutil.which(command, path=keeper.search_path()):
            raise Failure(f"the command '{command}' is missing: install iproute2")
    directory = claim(name)
    try:
        if isinstance(topology, Path):
            file = topology.resolve()
        else:
            file = directory / "topology.conf"
            file.write_text(topology)
        wires = wires or network.read(network.describe(file), wanted_rate)
        if wires.hosts > topologies.MOST_HOSTS or any(len(each.encode()) > 64 for each in wires.names):
            raise Failure(f"a cluster can have {topologies.MOST_HOSTS} hosts, with names of up to 64 characters")
        head = next(each for each in ("head", "cluster-head", "the-cluster-head") if each not in wires.names)
        cluster = state.Cluster(directory, title, str(file), wires, max(link.rate for link in wires.links), mtu, head,
                                routing.source_classes(wires))
        cluster.save()
        make(cluster)
        return cluster
    except BaseException:
        state.remove(directory)
        raise


def warning(cluster):
    """What to say if the links together may be too fast for this machine, else None."""
    processors = len(os.sched_getaffinity(0))
    capacity, needed = CAPACITY * processors, sum(link.rate for link in cluster.network.links)
    if needed <= capacity:
        return None
    slower = cluster.rate * capacity / needed
    return (f"this machine may not carry what {len(cluster.network.links)} links of up to {cluster.rate / 1e6:g} "
            f"Mbit/s can: {needed / 1e9:.1f} Gbit/s at once, where {processors} processors carry some "
            f"{capacity / 1e9:g}. Measure it with 'scripts/cluster check', or choose --rate {slower / 1e6:.0f}mbit")


def claim(name):
    """A new directory for the cluster's state; what is left of a cluster that has ended is removed."""
    directory = state.base() / state.check_name(name)
    with state.lock():
        if directory.exists():
            if state.process_in(directory / "builder") is not None:
                raise Failure(f"cluster '{name}' is just being set up; "
                              f"to stop that: scripts/cluster down --name {name}")
            if state.process_in(directory / "keeper") is not None:
                raise Failure(f"cluster '{name}' is already up: give the new one another --name, or end it with "
                              f"'scripts/cluster down --name {name}'")
            state.remove(directory)
        try:
            directory.mkdir()
            (directory / "inside").mkdir()
            state.note_process(directory / "builder", os.getpid())
        except OSError as error:
            raise Failure(f"cannot make {directory}: {error.strerror}") from None
    return directory


def make(cluster):
    report, confirmation = keeper.start(cluster.directory)
    said = Report(report, deadline=time.monotonic() + 30 + len(cluster.network.names))
    try:
        word = said.next()
        if word.startswith("namespaces: "):
            raise Failure(word.removeprefix("namespaces: "))
        if word != "built":
            raise Failure(word)
        (cluster.directory / "builder").unlink()
        os.write(confirmation, b"k")
        word = said.next()
        if word != "ready":
            raise Failure(word)
    finally:
        os.close(report)
        os.close(confirmation)


class Report:
    """What the keeper says: "built" and "ready", each in a line, or else all it says until it ends is an error."""

    def __init__(self, pipe, deadline):
        self.pipe, self.deadline = pipe, deadline

    def next(self):
        text = ""
        while text not in ("built\n", "ready\n"):
            if not select.select([self.pipe], [], [], max(0, self.deadline - time.monotonic()))[0]:
                raise Failure("setting up took too long: is the machine very busy?")
            more = os.read(self.pipe, 65536).decode(errors="replace")
            if not more:
                break
            text += more
        return text.strip() or "the cluster's keeper ended without saying why"
