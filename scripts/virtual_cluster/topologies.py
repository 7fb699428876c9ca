# SPDX-License-Identifier: BSD-3-Clause
"""Topology files of the usual networks, in which all links have the same bandwidth."""
import os
import re

from . import Failure, message_cost, wiring
from .job import EAGER_LIMIT

# Fitted to the times of all algorithms on the three tori of doc/results/tori.md, one and two ranks a host, in
# microseconds; near them choices change little. A hop costs HOP_LATENCY; a message costs its ranks MESSAGE_TIME,
# through memory LOCAL_MESSAGE_TIME (4 fits pipelines with four ranks a host), and is noticed late, by twice
# WAKING_TIME. But all ranks share the processors of this machine, so that a message also takes a processor SHARED_PARTS
# times what one between two processes does (message_cost.py), from all others, and a rank that waits for messages as
# much again. On machines where that is 8 to 11 us, 2.4 to 3.2 parts were about as good for calls of up to 64 KiB on two
# tori and a tree of 15 and 16 hosts, with one, two and four ranks a host.
HOP_LATENCY = 8
MESSAGE_TIME = 9.4
LOCAL_MESSAGE_TIME = 4
WAKING_TIME = 80
SHARED_PARTS = 2.8
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
    return f"Bandwidth={rate / 1e6:.10g}Mbit/s Latency={latency}us"


def machine(mtu):
    shared = SHARED_PARTS * message_cost.seconds() * 1e6 / (os.cpu_count() or 1)
    return (f"Machine MessageTime={MESSAGE_TIME}us LocalMessageTime={LOCAL_MESSAGE_TIME}us "
            f"SharedMessageTime={shared:.1f}us LinkBurst={wiring.burst(mtu):.0f}B EagerLimit={EAGER_LIMIT}B\n")


def torus(shape, wrapped, rate, mtu):
    kind = "torus" if wrapped else "mesh"
    dimensions = sizes(shape, f"shape of a {kind}")
    cells = 1
    for size in dimensions:
        cells *= size
    wrap = ("y" if wrapped else "n") * len(dimensions)
    nodes = hostlist("n", 0, cells, cells)
    return (f"TorusName={kind} Dims={shape} Wrap={wrap} Nodes={nodes} {speed(rate)}\n"
            f"HostLink Latency={WAKING_TIME}us\n{machine(mtu)}")


def leaf_lines(names, hosts_per_leaf):
    total = len(names) * hosts_per_leaf
    return [f"SwitchName={name} Nodes={hostlist('n', leaf * hosts_per_leaf, hosts_per_leaf, total)}"
            for leaf, name in enumerate(names)]


def hosts_on_switches(rate, mtu):
    return f"HostLink {speed(rate, WAKING_TIME)}\n{machine(mtu)}"


def fat_tree(shape, hosts_per_leaf, cables, rate, mtu):
    numbers = sizes(shape, "number of leaves and spines")
    if len(numbers) != 2:
        raise Failure(f"'{shape}' is no number of leaves and spines; write for instance 4x2")
    leaves = [f"leaf{leaf + 1}" for leaf in range(numbers[0])]
    link = f"Link From=leaf[1-{numbers[0]}] To=spine[1-{numbers[1]}] Count={cables} {speed(rate)}"
    return "\n".join(leaf_lines(leaves, hosts_per_leaf) + [link, hosts_on_switches(rate, mtu)])


def generated(statement, leaves, hosts_per_leaf, rate, mtu):
    """A fat tree that coll-topo makes from one statement; it also says what is wrong with its numbers."""
    hosts = leaves * hosts_per_leaf
    if hosts > MOST_HOSTS:
        raise Failure(f"{leaves} leaves with {hosts_per_leaf} hosts each have {hosts} hosts; a cluster can have "
                      f"{MOST_HOSTS}")
    nodes = hostlist("n", 0, hosts, hosts)
    return f"{statement} HostsPerLeaf={hosts_per_leaf} Nodes={nodes} {speed(rate)}\n{hosts_on_switches(rate, mtu)}"


def latin_square(order, hosts_per_leaf, rate, mtu):
    """Leaves and spines are the points and lines of the projective plane of an order."""
    return generated(f"LatinSquareName=square Order={order}", order * order + order + 1, hosts_per_leaf,
                     rate, mtu)


def full_mesh(ports, hosts_per_leaf, rate, mtu):
    """Multi-layer full mesh of switches with p ports: p/2 layers of p/2+1 leaves."""
    return generated(f"FullMeshName=mesh Ports={ports}", ports // 2 * (ports // 2 + 1), hosts_per_leaf, rate,
                     mtu)
