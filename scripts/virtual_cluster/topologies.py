# SPDX-License-Identifier: BSD-3-Clause
"""Topology files of the usual networks, in which all links have the same bandwidth."""
import re
from itertools import combinations, product

from . import Failure

# One hop of a small message on the virtual cluster: see doc/virtual-cluster.md. Planning needs the right magnitude.
HOP_LATENCY = "50us"


def sizes(text, what):
    if not re.fullmatch(r"[1-9][0-9]{0,3}(x[1-9][0-9]{0,3})*", text):
        raise Failure(f"'{text}' is no {what}; write numbers with x between them, such as 4x4")
    return [int(size) for size in text.split("x")]


def hostlist(prefix, first, count, total):
    """The names of `count` of `total` numbered hosts, all with the same number of digits: n[04-07]."""
    digits = max(2, len(str(total - 1)))
    return f"{prefix}[{first:0{digits}}-{first + count - 1:0{digits}}]"


def speed(rate):
    return f"Bandwidth={rate / 1e6:.10g}Mbit/s Latency={HOP_LATENCY}"


def torus(shape, wrapped, rate):
    kind = "torus" if wrapped else "mesh"
    dimensions = sizes(shape, f"shape of a {kind}")
    cells = 1
    for size in dimensions:
        cells *= size
    wrap = ("y" if wrapped else "n") * len(dimensions)
    return f"TorusName={kind} Dims={shape} Wrap={wrap} Nodes={hostlist('n', 0, cells, cells)} {speed(rate)}\n"


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
    return "\n".join(leaf_lines(leaves, hosts_per_leaf) + [link, f"HostLink {speed(rate)}"]) + "\n"


def latin_square(order, hosts_per_leaf, rate):
    """Leaves are the points and spines the lines of the projective plane of a prime order n: P, P(c), P(c,r) and
    L = {P, P(0..n-1)}, L(c) = {P, P(c,0..n-1)}, L(c,r) = {P(c)} and {P(i, r + c i mod n)}."""
    if order < 2 or any(order % divisor == 0 for divisor in range(2, order)):
        raise Failure(f"the order of a Latin square must be a prime, such as 2, 3 or 5, not {order}")
    every = range(order)
    squares = list(product(every, every))
    coordinates = [()] + [(c,) for c in every] + squares
    points_of_line = {(): [()] + [(c,) for c in every]}
    points_of_line.update({(c,): [()] + [(c, r) for r in every] for c in every})
    points_of_line.update({(c, r): [(c,)] + [(i, (r + c * i) % order) for i in every] for c, r in squares})

    def name(kind, of):
        return "_".join([kind] + [str(number) for number in of])
    lines = leaf_lines([name("P", point) for point in coordinates], hosts_per_leaf)
    for line in coordinates:
        leaves = ",".join(name("P", point) for point in points_of_line[line])
        lines.append(f"Link From={leaves} To={name('L', line)} {speed(rate)}")
    return "\n".join(lines + [f"HostLink {speed(rate)}"]) + "\n"


def full_mesh(ports, hosts_per_leaf, rate):
    """Multi-layer full mesh of switches with p ports: a leaf for each of p/2+1 corners and p/2 layers, in this order, and
    a spine for each pair of corners, wired to all leaves of both."""
    if ports < 4 or ports % 2 != 0:
        raise Failure(f"the switches of a full mesh have an even number of ports, 4 or more, not {ports}")
    if hosts_per_leaf > ports // 2:
        raise Failure(f"a leaf with {ports} ports has {ports // 2} for hosts, not {hosts_per_leaf}")
    corners, layers = range(ports // 2 + 1), range(ports // 2)
    leaves = {corner: [f"C{corner}_{layer}" for layer in layers] for corner in corners}
    lines = leaf_lines([leaf for corner in corners for leaf in leaves[corner]], hosts_per_leaf)
    for one, other in combinations(corners, 2):
        lines.append(f"Link From={','.join(leaves[one] + leaves[other])} To=S{one}_{other} {speed(rate)}")
    return "\n".join(lines + [f"HostLink {speed(rate)}"]) + "\n"
