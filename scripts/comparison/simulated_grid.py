# SPDX-License-Identifier: BSD-3-Clause
"""The grid of networks, ranks a host, calls and sizes on which choices and predictions are judged."""
from dataclasses import dataclass, field, replace

from .simulator import Plan, Time
from .torus_simulation import Network, drawn_at_random

TREE_LINKS = "HostLink Bandwidth=25GB/s Latency=0.3us"


@dataclass(frozen=True)
class SwitchNetwork:
    """Any network of switches, by its topology file."""
    title: str
    text: str

    def topology(self):
        return self.text

    def options(self):
        return []


def leaf_spine(title, leaves, hosts, spines, cables=1, bandwidth="25GB/s"):
    """A fat tree of two levels: every leaf has so many hosts, and so many cables to each spine."""
    return unequal_leaves(title, [hosts] * leaves, spines, cables, bandwidth)


def unequal_leaves(title, hosts, spines, cables=1, bandwidth="25GB/s"):
    """The same with the hosts that a job got, by leaf."""
    leaves = len(hosts)
    lines = [f"SwitchName=leaf{leaf} Nodes=l{leaf}n[00-{count - 1:02}]" for leaf, count in enumerate(hosts, 1)]
    lines += [f"Link From=leaf[1-{leaves}] To=spine[1-{spines}] Count={cables} Bandwidth={bandwidth} Latency=0.2us",
              TREE_LINKS]
    return SwitchNetwork(title, "\n".join(lines) + "\n")


def three_levels(title, pods, cores):
    """Pods of two leaves with four hosts and two middle switches each; every middle switch has a cable to each core."""
    lines = []
    for pod in range(1, pods + 1):
        lines += [f"SwitchName=p{pod}leaf{leaf} Nodes=p{pod}l{leaf}n[0-3]" for leaf in (1, 2)]
        lines += [f"Link From=p{pod}leaf[1-2] To=p{pod}mid[1-2] Count=2 Bandwidth=25GB/s Latency=0.2us",
                  f"Link From=p{pod}mid[1-2] To=core[1-{cores}] Bandwidth=25GB/s Latency=0.2us"]
    return SwitchNetwork(title, "\n".join(lines + [TREE_LINKS]) + "\n")


def mesh_of_leaves(title, leaves, hosts):
    """Leaves with a cable from each to each other one, as the switches of a group of a dragonfly have."""
    lines = [f"SwitchName=leaf{leaf} Nodes=l{leaf}n[0-{hosts - 1}]" for leaf in range(leaves)]
    lines += [f"Link From=leaf{leaf} To=leaf[0-{leaf - 1}] Bandwidth=25GB/s Latency=0.2us" for leaf in range(1, leaves)]
    return SwitchNetwork(title, "\n".join(lines + [TREE_LINKS]) + "\n")


def dragonfly(title, groups, switches, hosts):
    """Groups of switches wired all to all, and a cable between each two groups, at their next switches in turn."""
    lines = [f"SwitchName=g{group}s{switch} Nodes=g{group}s{switch}n[0-{hosts - 1}]"
             for group in range(groups) for switch in range(switches)]
    lines += [f"Link From=g{group}s{switch} To=g{group}s[0-{switch - 1}] Bandwidth=25GB/s Latency=0.2us"
              for group in range(groups) for switch in range(1, switches)]
    wired = [0] * groups
    for group in range(groups):
        for other in range(group):
            lines.append(f"Link From=g{group}s{wired[group] % switches} To=g{other}s{wired[other] % switches} "
                         "Bandwidth=25GB/s Latency=1us")
            wired[group] += 1
            wired[other] += 1
    return SwitchNetwork(title, "\n".join(lines + [TREE_LINKS]) + "\n")


NETWORKS = {
    "4x4": Network("torus 4x4", (4, 4)),
    "5x7": Network("torus 5x7", (5, 7)),
    "4x4x4": Network("torus 4x4x4", (4, 4, 4)),
    "8x8": Network("torus 8x8", (8, 8)),
    "12x10": Network("torus 12x10", (12, 10)),
    "mesh-8x4": Network("mesh 8x4", (8, 4), wrapped=False),
    "mesh-4x3x3": Network("mesh 4x3x3", (4, 3, 3), wrapped=False),
    "first-27": Network("the first 27 hosts of a torus 8x8", (8, 8), hosts=tuple(range(27))),
    "first-100": Network("the first 100 hosts of a torus 8x8x8", (8, 8, 8), hosts=tuple(range(100))),
    "scattered-20": Network("20 hosts of a torus 6x6, drawn at random", (6, 6), hosts=drawn_at_random(20, 36)),
    "scattered-64": Network("64 hosts of a torus 8x8x8, drawn at random", (8, 8, 8), hosts=drawn_at_random(64, 512)),
    "tree-4x16": leaf_spine("fat tree, 4 leaves x 16 hosts", 4, 16, 4, 4),
    "tree-4x8": leaf_spine("fat tree, 4 leaves x 8 hosts, 2:1", 4, 8, 2, 2),
    "tree-6x4": leaf_spine("fat tree, 6 leaves x 4 hosts, 4:1", 6, 4, 1, 1),
    "tree-8x8": three_levels("fat tree of 3 levels, 4 pods x 8 hosts", 4, 4),
    "tree-8x8-tapered": three_levels("fat tree of 3 levels, 4 pods x 8 hosts, 4:1 between pods", 4, 1),
    "tree-5-7-4": unequal_leaves("fat tree, leaves of 5, 7 and 4 hosts", (5, 7, 4), 2, 2),
    "leaves-8-8-7": unequal_leaves("fat tree, leaves of 8, 8 and 7 hosts", (8, 8, 7), 4, 2),
    "leaves-31-32": unequal_leaves("fat tree, leaves of 31 and 32 hosts, 2:1", (31, 32), 8, 2),
    "leaves-13-2-1-7": unequal_leaves("fat tree, leaves of 13, 2, 1 and 7 hosts", (13, 2, 1, 7), 2, 2),
    "leaves-1-to-16": unequal_leaves("fat tree, leaves of 1, 2, 3, 9 and 16 hosts", (1, 2, 3, 9, 16), 4, 4),
    "leaves-of-24": unequal_leaves("fat tree, 24 hosts on 8 leaves drawn at random", (4, 1, 2, 7, 2, 1, 5, 2), 4, 4),
    "mesh-of-leaves": mesh_of_leaves("9 leaves x 4 hosts, a cable between any two leaves", 9, 4),
    "dragonfly": dragonfly("dragonfly, 5 groups of 4 switches x 2 hosts", 5, 4, 2),
    "latin-square": SwitchNetwork("Latin-square fat tree of order 2",
                                  "LatinSquareName=l0 Order=2 HostsPerLeaf=3 Nodes=h[00-20] Bandwidth=12.5GB/s\n"),
    "full-mesh": SwitchNetwork("multi-layer full mesh of 6 ports",
                               "FullMeshName=m0 Ports=6 Nodes=s[00-35] Bandwidth=12.5GB/s\n"),
}


@dataclass(frozen=True)
class OnHosts:
    """A network with so many ranks on each host."""
    network: object
    ranks_per_host: int

    @property
    def title(self):
        return f"{self.network.title}, {self.ranks_per_host} a host"

    def topology(self):
        return self.network.topology()

    def options(self):
        return [*self.network.options(), "--ranks-per-host", str(self.ranks_per_host)]


@dataclass(frozen=True)
class Grid:
    networks: tuple
    ranks_per_host: tuple
    collectives: tuple
    sizes: tuple


CALLS = ("allreduce", "bcast", "reduce", "allgather", "reduce_scatter", "alltoall")
NIGHT = Grid(tuple(NETWORKS), (1, 2, 4, 8, 16, 48), CALLS,
             ("8", "512", "8KiB", "64KiB", "512KiB", "4MiB", "32MiB", "256MiB"))
GRIDS = {
    "night": NIGHT,
    "small": replace(NIGHT, networks=("4x4", "mesh-8x4", "tree-6x4", "tree-5-7-4", "latin-square"), ranks_per_host=(1, 4),
                     sizes=("8", "16KiB", "1MiB", "64MiB")),
}


@dataclass(frozen=True)
class SimulatedRow:
    """One algorithm in a cell."""
    plan: Plan
    time: Time

    @property
    def error(self):
        """Predicted over simulated time."""
        return self.plan.seconds / self.time.seconds


@dataclass
class Cell:
    """One call of one size on one network."""
    network: str
    ranks_per_host: int
    collective: str
    size: str
    rows: list = field(default_factory=list)

    def title(self):
        return f"{self.network}, {self.ranks_per_host} a host, {self.collective} {self.size}"

    def chosen(self):
        return next((row for row in self.rows if row.plan.chosen), None)

    def fastest(self, kind):
        """Of the rows of a kind: Plan.OWN, Plan.REFERENCE or Plan.FIXED_ORDER."""
        return min((row for row in self.rows if row.plan.kind == kind), key=lambda row: row.time.seconds, default=None)

    def behind(self, kind):
        """Time of the chosen row over that of the fastest of a kind; 1 if there is none, or none was chosen."""
        chosen, fastest = self.chosen(), self.fastest(kind)
        return chosen.time.seconds / fastest.time.seconds if chosen and fastest else 1


def simulate(simulator, pool, grid, report):
    """All cells of the grid, in parallel."""
    tasks = []
    for name in grid.networks:
        for ranks in grid.ranks_per_host:
            network = OnHosts(NETWORKS[name], ranks)
            for collective in grid.collectives:
                for size in grid.sizes:
                    cell = Cell(name, ranks, collective, size)
                    tasks.append((cell, pool.submit(simulate_cell, simulator, network, cell)))
    for done, (cell, task) in enumerate(tasks, 1):
        report(f"{done} of {len(tasks)}: {cell.title()}")
        task.result()
    return [cell for cell, _ in tasks]


def simulate_cell(simulator, network, cell):
    for plan in simulator.plans(network, cell.collective, cell.size):
        time = simulator.time(network, cell.collective, plan, cell.size, True)
        if time is not None and time.seconds > 0:
            cell.rows.append(SimulatedRow(plan, time))
