# SPDX-License-Identifier: BSD-3-Clause
"""Topology files of the usual networks, in which all links have the same bandwidth."""
import os
import re

from . import Failure, wiring

# One hop of a small message on the virtual cluster: see doc/guide/virtual-cluster.md. Planning needs the right magnitude.
HOP_LATENCY = "50us"
# Of a processor for a message and rank, in microseconds: what each further message of a rank added on 16 hosts, in
# allgather of 512 B and 4 KiB by schedules with 4, 8 and 16 messages, as the ranks of 2 processors gave way in turn.
MESSAGE_TIME = 14
# On tori, where hosts forward messages themselves, quiet calibration found less for a hop. A message costs its ranks
# TORUS_MESSAGE_TIME and is noticed late, by twice TORUS_WAKING_TIME. But all ranks share the processors of this
# machine, so that it also takes a processor SHARED_MESSAGE_TIME from all others. The first three are fitted to the times
# of all algorithms on the three tori of doc/results/tori.md, one and two ranks a host, in microseconds; near them choices
# change little. The last was 36 there; on a quiet machine, with 16 hosts, 20 fits calls of up to 64 B.
TORUS_HOP_LATENCY = "8us"
TORUS_MESSAGE_TIME = 9.4
TORUS_WAKING_TIME = 60
SHARED_MESSAGE_TIME = 20
MOST_HOSTS = 60000


def sizes(text, what):
    if not re.fullmatch(r"[1-9][0-9]{0,3}(x[1-9][0-9]{0,3})*", text):
        raise Failure(f"'{text}' is no {what}; write numbers with x between them, such as 4x4")
    return [int(size) for size in text.split("x")]


def hostlist(prefix, first, count, total):
    """The names of `count` of `total` numbered hosts, all with the same number of digits: n[04-07]."""
    digits = max(2, len(str(total - 1)))
    return f"{prefix}[{first:0{digits}}-{first + count - 1:0{digits}}]"


def speed(rate, latency=HOP_LATENCY):
    return f"Bandwidth={rate / 1e6:.10g}Mbit/s Latency={latency}"


def in_turns(microseconds, hosts):
    """All hosts share the processors of this machine."""
    return f"{microseconds * max(1, hosts / (os.cpu_count() or 1)):.10g}us"


def machine(hosts):
    return f"Machine MessageTime={in_turns(MESSAGE_TIME, hosts)}"


def torus(shape, wrapped, rate, mtu=4096):
    kind = "torus" if wrapped else "mesh"
    dimensions = sizes(shape, f"shape of a {kind}")
    cells = 1
    for size in dimensions:
        cells *= size
    wrap = ("y" if wrapped else "n") * len(dimensions)
    nodes = hostlist("n", 0, cells, cells)
    shared = SHARED_MESSAGE_TIME / (os.cpu_count() or 1)
    return (f"TorusName={kind} Dims={shape} Wrap={wrap} Nodes={nodes} {speed(rate, TORUS_HOP_LATENCY)}\n"
            f"HostLink Latency={TORUS_WAKING_TIME}us\n"
            f"Machine MessageTime={TORUS_MESSAGE_TIME}us SharedMessageTime={shared:.10g}us "
            f"LinkBurst={wiring.burst(mtu):.0f}B\n")


def leaf_lines(names, hosts_per_leaf):
    total = len(names) * hosts_per_leaf
    return [f"SwitchName={name} Nodes={hostlist('n', leaf * hosts_per_leaf, hosts_per_leaf, total)}"
            for leaf, name in enumerate(names)]


def fat_tree(shape, hosts_per_leaf, cables, rate):
    numbers = sizes(shape, "number of leaves and spines")
    if len(numbers) != 2:
        raise Failure(f"'{shape}' is no number of leaves and spines; write for instance 4x2")
    leaves = [f"leaf{leaf + 1}" for leaf in range(numbers[0])]
    link = f"Link From=leaf[1-{numbers[0]}] To=spine[1-{numbers[1]}] Count={cables} {speed(rate)}"
    hosts = len(leaves) * hosts_per_leaf
    return "\n".join(leaf_lines(leaves, hosts_per_leaf) + [link, f"HostLink {speed(rate)}", machine(hosts)]) + "\n"


def generated(statement, leaves, hosts_per_leaf, rate):
    """A fat tree that coll-topo makes from one statement; it also says what is wrong with its numbers."""
    hosts = leaves * hosts_per_leaf
    if hosts > MOST_HOSTS:
        raise Failure(f"{leaves} leaves with {hosts_per_leaf} hosts each have {hosts} hosts; a cluster can have "
                      f"{MOST_HOSTS}")
    nodes = hostlist("n", 0, hosts, hosts)
    return f"{statement} HostsPerLeaf={hosts_per_leaf} Nodes={nodes} {speed(rate)}\n{machine(hosts)}\n"


def latin_square(order, hosts_per_leaf, rate):
    """Leaves and spines are the points and lines of the projective plane of an order."""
    return generated(f"LatinSquareName=square Order={order}", order * order + order + 1, hosts_per_leaf, rate)


def full_mesh(ports, hosts_per_leaf, rate):
    """Multi-layer full mesh of switches with p ports: p/2 layers of p/2+1 leaves."""
    return generated(f"FullMeshName=mesh Ports={ports}", ports // 2 * (ports // 2 + 1), hosts_per_leaf, rate)
