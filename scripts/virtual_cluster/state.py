# SPDX-License-Identifier: BSD-3-Clause
"""What is known about a cluster from outside: a directory of the user's, one for each cluster.

    cluster.json    the Cluster below
    topology.conf   unless the user gave a file
    builder keeper  processes, as "PID START": the one that makes the cluster, and the one that keeps it
    ready           exists once the cluster is complete
    hosts nsswitch.conf   seen inside instead of those in /etc
    inside/         a file system seen only by the cluster's processes, with its namespaces and temporary files
"""
import contextlib
import fcntl
import json
import os
import re
import select
import shutil
import signal
import stat
from dataclasses import asdict, dataclass
from pathlib import Path

from . import Failure
from .network import Link, Network

DEFAULT = "default"  # name of a cluster that is given none


@dataclass
class Cluster:
    directory: Path
    title: str          # "torus 4x4"
    topology_file: str
    network: Network
    rate: float         # of the fastest link, bit/s of payload
    mtu: int            # bytes
    head: str           # name of the place mpirun runs in, beside the hosts
    classes: list       # of the hosts as sources: see routing.py

    @property
    def name(self):
        return self.directory.name

    @property
    def inside(self):
        return self.directory / "inside"

    @property
    def hosts(self):
        return self.network.names[:self.network.hosts]

    def save(self):
        data = asdict(self)
        del data["directory"]
        data["network"]["routes"] = [[*pair, route] for pair, route in self.network.routes.items()]
        (self.directory / "cluster.json").write_text(json.dumps(data))

    def keeper(self):
        """The process that keeps the namespaces."""
        process = process_in(self.directory / "keeper")
        if process is None or not (self.directory / "ready").exists():
            raise Failure(f"cluster '{self.name}' is not up, something of it is left: "
                          f"remove that with 'scripts/cluster down --name {self.name}'")
        return process


def base():
    """The directory of this user's clusters, which nobody else may write to."""
    directory = Path(os.environ.get("XDG_RUNTIME_DIR") or "/tmp") / f"coll-topo-cluster-{os.geteuid()}"
    try:
        directory.mkdir(mode=0o700, exist_ok=True)
        about = directory.lstat()
    except OSError as error:
        raise Failure(f"cannot make the directory {directory}: {error.strerror}") from None
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid() or about.st_mode & 0o022:
        raise Failure(f"{directory} must be a directory of yours that nobody else can write to: remove it")
    return directory


@contextlib.contextmanager
def lock():
    """Held while a cluster's directory is being made."""
    directory = os.open(base(), os.O_RDONLY)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX)
        yield
    finally:
        os.close(directory)


def names():
    """Of clusters that are up, or of which something is left."""
    return sorted(entry.name for entry in base().iterdir())


def check_name(name):
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}", name):
        raise Failure(f"'{name}' cannot be the name of a cluster: up to 32 letters, digits, '-', '_' and '.'")
    return name


def directory_of(name):
    """Of the cluster with a name; without one, of that called "default", or else of the only one there is."""
    found = names()
    if name is None and DEFAULT in found:
        name = DEFAULT
    if name is None:
        if len(found) > 1:
            raise Failure(f"there are several clusters ({', '.join(found)}): say which with --name")
        if not found:
            raise Failure("no cluster is up: start one with 'scripts/cluster up torus 4x4'")
        return base() / found[0]
    if check_name(name) not in found:
        raise Failure(f"there is no cluster '{name}'" + (f"; there is: {', '.join(found)}" if found else ""))
    return base() / name


def load(name):
    return load_from(directory_of(name))


def load_from(directory):
    try:
        data = json.loads((directory / "cluster.json").read_text())
        network = data.pop("network")
        routes = {(source, target): links for source, target, links in network["routes"]}
        links = [Link(**link) for link in network["links"]]
        return Cluster(directory, network=Network(network["hosts"], network["names"], links, routes), **data)
    except (OSError, ValueError, KeyError, TypeError):
        raise Failure(f"cluster '{directory.name}' is incomplete: remove it with "
                      f"'scripts/cluster down --name {directory.name}'") from None


def start_time(pid):
    """When a process started, in ticks since boot; with its number it means one process only. None: it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else int(fields[19])


def note_process(path, pid):
    path.write_text(f"{pid} {start_time(pid)}\n")


def process_in(path):
    """The process noted in a file if it is still there, else None."""
    try:
        pid, started = (int(word) for word in path.read_text().split())
    except (OSError, ValueError):
        return None
    return pid if start_time(pid) == started else None


def remove(directory, timeout=15):
    """Ends the keeper, with which the kernel ends all processes of the cluster, and with them its namespaces, devices
    and temporary files. Then nothing is left but the directory. True if there was a keeper."""
    keeper = process_in(directory / "keeper")
    if keeper is not None:
        end(keeper, directory / "keeper", timeout)
    shutil.rmtree(directory)
    return keeper is not None


def end(pid, noted_in, timeout):
    """Ends a process for good and waits until it is gone."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if process_in(noted_in) != pid:  # ended meanwhile, and its number might be another's
            return
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        if not select.select([handle], [], [], timeout)[0]:
            raise Failure(f"process {pid} was killed but has not ended within {timeout} s; try again")
    finally:
        os.close(handle)
