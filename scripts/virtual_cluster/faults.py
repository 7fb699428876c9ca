# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong with a cluster: slow and dead cables, a host that stops, other wiring than the file's."""
import os
import re
import signal
from pathlib import Path

from . import Failure, inside, keeper, network, start, state, wiring

DAEMONS = ("orted", "prted", "prterun", "mpirun")  # of Open MPI: without them the job could not be ended


def share(text):
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?%", text)
    if not match or not 0 < float(match[1]) <= 100:
        raise Failure(f"'{text}' is no share of a rate: write for instance 50%")
    return float(match[1]) / 100


def links_between(cluster, start_name, end_name, number, one_direction):
    """The links of a cable, as indices: that from the first end, and unless `one_direction`, that back."""
    ends = (cluster.network.number(start_name), cluster.network.number(end_name))
    pairs = [(there, back) if (cluster.network.links[there].start, cluster.network.links[there].end) == ends else
             (back, there) for there, back in cluster.network.cables()
             if {cluster.network.links[there].start, cluster.network.links[there].end} == set(ends)]
    if not pairs:
        raise Failure(f"there is no cable between {start_name} and {end_name}")
    if not 1 <= number <= len(pairs):
        raise Failure(f"there are {len(pairs)} cables between {start_name} and {end_name}: no number {number}")
    return pairs[number - 1][:1] if one_direction else pairs[number - 1]


def limit_link(cluster, start_name, end_name, number, one_direction, part):
    """Makes a cable carry a part of its rate; 0: nothing, None: all of it again."""
    for link in links_between(cluster, start_name, end_name, number, one_direction):
        limit(cluster, link, part)


def restore_all(cluster):
    """Every cable carries its rate again."""
    for link in range(len(cluster.network.links)):
        limit(cluster, link, None)


def limit(cluster, link, part):
    where = cluster.network.links[link].start
    commands = [f"qdisc replace dev link{link} root handle 2f: blackhole"]
    if part != 0:
        own = re.compile(rf"(qdisc|class|filter) add dev link{link} ")
        commands.append(f"qdisc del dev link{link} root")
        commands += [line for line in wiring.limiters(cluster, 1 if part is None else part)[where] if own.match(line)]
    run_at(cluster, cluster.network.names[where], lambda: wiring.batch("tc", commands))


def run_at(cluster, vertex, action):
    """Calls a function in a process at a vertex."""
    def there():
        os.environ["PATH"] = keeper.search_path()
        inside.enter(cluster, vertex)
        action()
        return True
    if inside.call(there) != 0:
        raise Failure(f"that could not be done at {vertex}")


def stop_host(cluster, host, resume):
    """Stops what a job runs on a host, as if the host hung, or lets it go on."""
    if host not in cluster.hosts:
        raise Failure(f"the cluster has no host '{host}'; it has {', '.join(cluster.hosts)}")
    where = f"/proc/{cluster.keeper()}/root{cluster.inside}/network/{host}"
    place = os.stat(where).st_ino
    count = 0
    for entry in Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or os.stat(entry / "ns" / "net").st_ino != place:
                continue
            if (entry / "comm").read_text().strip() in DAEMONS:
                continue
            os.kill(int(entry.name), signal.SIGCONT if resume else signal.SIGSTOP)
            count += 1
        except OSError:  # it has ended, or is another user's
            continue
    if count == 0:
        raise Failure(f"nothing runs on {host}: start a job first")
    return count


def swapped(wires, first, second):
    """The network with two hosts at each other's places."""
    names = list(wires.names)
    for host in (first, second):
        if wires.number(host) >= wires.hosts:
            raise Failure(f"'{host}' is no host")
    a, b = names.index(first), names.index(second)
    names[a], names[b] = names[b], names[a]
    return network.Network(wires.hosts, names, wires.links, wires.routes)


def recabled(cluster, file):
    """The network of another file with the same hosts."""
    wires = network.read(network.describe(file), cluster.rate)
    if sorted(wires.names[:wires.hosts]) != sorted(cluster.hosts):
        raise Failure(f"{file} has other hosts than the cluster")
    return wires


def restart(cluster, wires):
    """The cluster with other cables, from the same topology file, which jobs go on to read."""
    topology = Path(cluster.topology_file)
    if topology.parent == cluster.directory:
        topology = topology.read_text()
    state.remove(cluster.directory)
    return start.up(cluster.name, cluster.title, topology, cluster.rate, cluster.mtu, wires)
