# SPDX-License-Identifier: BSD-3-Clause
"""The network a topology file describes, with its routes, as coll-topo computes them."""
import json
import math
import os
import shutil
import subprocess
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from . import Failure, namespaces


@dataclass
class Link:
    """One direction of one cable, between two vertices."""
    start: int
    end: int
    rate: float  # bit/s, of payload


@dataclass
class Network:
    hosts: int    # vertices 0 .. hosts-1 are hosts, then come routers and switches
    names: list   # of the vertices
    links: list   # of Link, every direction of every cable
    routes: dict  # (host, host) -> links, as indices

    def number(self, name):
        try:
            return self.names.index(name)
        except ValueError:
            raise Failure(f"the cluster has no '{name}'; it has {', '.join(self.names)}") from None

    def cables(self):
        """Pairs of links, one for each direction. Of parallel cables the first goes with the first back."""
        waiting, pairs = {}, []
        for index, link in enumerate(self.links):
            others = waiting.get((link.end, link.start))
            if others:
                pairs.append((others.pop(0), index))
            else:
                waiting.setdefault((link.start, link.end), []).append(index)
        for (start, end), alone in waiting.items():
            if alone:
                raise Failure(f"the cable from {self.names[start]} to {self.names[end]} has only one direction")
        return pairs

    def link_name(self, index):
        """a>b, with a number for the second and later of parallel cables."""
        link = self.links[index]
        same = [i for i, other in enumerate(self.links) if (other.start, other.end) == (link.start, link.end)]
        number = f"#{same.index(index) + 1}" if len(same) > 1 else ""
        return f"{self.names[link.start]}>{self.names[link.end]}{number}"


def describing_command():
    """The command that describes a network, without the name of the file: $COLL_TOPO or $DESCRIBE_NETWORK, or what is
    built in this source tree, or in PATH."""
    build = Path(__file__).resolve().parents[2] / "build"
    show = ["show", "--format", "json", "--routes"]
    for program, options in ((os.environ.get("COLL_TOPO"), show), (os.environ.get("DESCRIBE_NETWORK"), []),
                             (str(build / "coll-topo"), show), (str(build / "describe_network"), []),
                             ("coll-topo", show)):
        if program and shutil.which(program):
            return [program, *options]
    raise Failure("the command coll-topo, which computes the routes, is missing: build it (scripts/build), or set "
                  "COLL_TOPO to where it is")


def describe(topology_file):
    return answer([*describing_command(), str(topology_file)])


def bounds(topology_file, cases, head_start=0):
    """(collective, bytes) -> seconds that no schedule beats, with one rank on each host, for (collective, bytes), on
    links that have saved up `head_start` seconds of sending. Not those that need no more than that."""
    said = answer([os.environ["DESCRIBE_NETWORK"], str(topology_file), *(f"{name}:{size}" for name, size in cases)])
    found = {}
    for case in json.loads(said)["bounds"]:
        seconds = case["seconds"] - (head_start if case["limited_by"] == "cables" else 0)
        if seconds > 0:
            found[case["collective"], case["bytes"]] = seconds
    return found


def answer(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60,
                              preexec_fn=namespaces.end_with_parent)
    except subprocess.TimeoutExpired:
        raise Failure(f"'{' '.join(command)}' did not end within 60 s") from None
    except OSError as error:
        raise Failure(f"cannot run '{command[0]}': {error.strerror}") from None
    if done.returncode != 0:
        raise Failure(done.stderr.strip() or f"'{' '.join(command)}' failed without saying why")
    return done.stdout


def without_idle_routers(data):
    """Takes the routers out of a description of a torus or mesh that only stand for the latency of a host's own cable
    (HostLink): where that carries as much as all the others of its router, the host is the router."""
    leaving = dict.fromkeys(data["vertices"], 0)
    for link in data["links"]:
        leaving[link["from"]] += link["bandwidth"]
    host_of = {f"{host}.router": host for host in data["hosts"] if data["kind"] in ("torus", "mesh")
               and 2 * leaving[host] >= (1 - 1e-9) * leaving.get(f"{host}.router", math.inf)}
    links, number = [], {}
    for index, link in enumerate(data["links"]):
        start, end = (host_of.get(link[side], link[side]) for side in ("from", "to"))
        if start != end:
            number[index] = len(links)
            links.append({**link, "from": start, "to": end})
    routes = [{**route, "links": [number[link] for link in route["links"] if link in number]}
              for route in data["routes"]]
    vertices = [name for name in data["vertices"] if name not in host_of]
    return {**data, "vertices": vertices, "links": links, "routes": routes}


def read(text, rate):
    """A Network from coll-topo's JSON. The fastest link gets `rate`, in bit/s, and the others in proportion, or if it
    is None each its own. Links of unknown bandwidth are as fast as the fastest."""
    try:
        data = without_idle_routers(json.loads(text))
        names = data["vertices"]
        if len(set(names)) != len(names):
            raise Failure("a host and a switch of this network have the same name; rename one")
        number = {name: index for index, name in enumerate(names)}
        number.update(enumerate(range(len(names))))
        bandwidth = [8 * link["bandwidth"] for link in data["links"]]
        ends = [(number[link["from"]], number[link["to"]]) for link in data["links"]]
        routes = {tuple(number[host] for host in route["pair"]): route["links"] for route in data["routes"]
                  if route["links"]}
        hosts = len(data["hosts"])
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(f"coll-topo's description of the network cannot be understood ({error!r}); "
                      "is it of the same version as this script?") from None
    fastest = max(bandwidth, default=0)
    if rate is None and fastest == 0:
        raise Failure("the topology file says no bandwidth: give --rate")
    scale = rate / fastest if rate and fastest else 1
    links = [Link(*end, (each or fastest) * scale or rate) for end, each in zip(ends, bandwidth)]
    for source, target in product(range(hosts), repeat=2):
        if source != target and (source, target) not in routes:
            raise Failure(f"{names[source]} cannot reach {names[target]} in this network: connect them in the topology "
                          "file")
    return Network(hosts, names, links, routes)
