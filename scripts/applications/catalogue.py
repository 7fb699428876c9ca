# SPDX-License-Identifier: BSD-3-Clause
"""The programs, networks and components that can be named."""
from comparison import Failure
from comparison.study import NETWORKS

from .fftw import Fftw
from .gromacs import Gromacs
from .hpcc import Hpcc
from .lammps import Lammps, LammpsPointToPoint
from .training import Training

ALL = (Training(), Lammps(), LammpsPointToPoint(), Gromacs(), Fftw(), Hpcc())
PROGRAMS = {program.name: program for program in ALL}
USUAL_NETWORKS = ["torus-4x4", "fat-tree-16"]

# How mpirun is told to use a component. Tuned is the usual one; it is also what coll_topo passes calls on to.
TOPO, TUNED, HAN = "topo", "tuned", "han"
COMPONENTS = {
    TOPO: ["--mca", "mca_base_component_path", "{component}:SYS_DEFAULT",
           "--mca", "coll_topo_topology_file", "{topology}"],
    TUNED: ["--mca", "coll", "^han"],
    HAN: ["--mca", "coll_han_priority", "40"],
}


def chosen(words, table, what):
    """Those named in a list, or all."""
    for word in words:
        if word not in table:
            raise Failure(f"no {what} '{word}'; there are {', '.join(table)}")
    return {word: table[word] for word in words or table}


def networks(text):
    return chosen(text.split(",") if text else USUAL_NETWORKS, NETWORKS, "network")


def selection(component, component_folder, topology_file):
    """The options of mpirun for a component."""
    return [word.format(component=component_folder, topology=topology_file) for word in COMPONENTS[component]]
