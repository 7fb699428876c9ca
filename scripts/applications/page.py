# SPDX-License-Identifier: BSD-3-Clause
"""The page about the programs, as Markdown."""
import os
import platform
import statistics

from comparison import machine
from comparison.study import NETWORKS, USUAL_RATE

from . import catalogue, profile
from .catalogue import HAN, PROGRAMS, TOPO, TUNED
from .trial import JOB

TITLES = {TOPO: "coll_topo", TUNED: "tuned", HAN: "HAN"}


def write(found):
    """`found`: what was kept of each program on each network, as try-applications.json has it."""
    parts = ["# Measured: real programs with coll_topo, tuned and HAN", _how(found)]
    networks = [name for name in NETWORKS if any(trial["network"] == name for trial in found)]
    for network in networks:
        trials = [trial for program in PROGRAMS for trial in found
                  if (trial["network"], trial["program"]) == (network, program)]
        parts += [f"## {NETWORKS[network].title}", table(trials)]
        parts += [profile.table(PROGRAMS[trial["program"]].title, trial["profile"]) for trial in trials
                  if trial["profile"]]
    parts += ["## Are the results the same?", agreement(found), "## Commands", _commands(found)]
    return "\n\n".join(parts) + "\n"


def table(trials):
    """Times of all programs on a network."""
    components = [name for name in catalogue.COMPONENTS if any(name in trial["seconds"] for trial in trials)]
    others = [name for name in components if name != TOPO and TOPO in components]
    lines = ["| program | part | " + " | ".join(TITLES[name] for name in components) +
             "".join(f" | to {TITLES[name]}" for name in others) + " |",
             "|---|---|" + "---:|" * (len(components) + len(others))]
    for trial in trials:
        title = PROGRAMS[trial["program"]].title
        for part in next(iter(trial["seconds"].values()))[0]:
            runs = {name: [run[part] for run in trial["seconds"].get(name, [])] for name in components}
            ratios = [ratio(runs, name) for name in others]
            times = [_times(runs[name]) for name in components]
            lines.append(f"| {title} | {part} | " + " | ".join(times + ratios) + " |")
            title = ""
    return "\n".join(lines)


def ratio(runs, other):
    """coll_topo's median over the other's: below 1, coll_topo is faster."""
    if not runs[TOPO] or not runs[other] or statistics.median(runs[other]) == 0:
        return ""
    return f"{statistics.median(runs[TOPO]) / statistics.median(runs[other]):.2f}"


def agreement(found):
    """What was compared, and what was found."""
    lines = []
    for name, program in PROGRAMS.items():
        trials = [trial for trial in found if trial["program"] == name]
        if not trials:
            continue
        differences = [f"{NETWORKS[trial['network']].title}, {text}"
                       for trial in trials for text in trial["differences"]]
        farthest = max(trial["farthest"] for trial in trials)
        values = max(trial["values"] for trial in trials)
        says = f"**{len(differences)} differ**, the first: {differences[0]}" if differences else \
            "the same in every run" + (f", up to {farthest:.1g} of their size" if farthest else "")
        lines.append(f"- {program.title}: {program.compared} {values} {'values' if values != 1 else 'value'}: {says}.")
    return "\n".join(lines)


def _how(found):
    loads = [trial["load"] for trial in found]
    turns = " or ".join(map(str, sorted({trial["turns"] for trial in found})))
    quick = " --quick" if any(trial["quick"] for trial in found) else ""
    return "\n".join([
        "Unmodified programs of Debian 12, on networks of virtual hosts on one machine: network namespaces joined by "
        f"links that are limited to {_each(found, 'rate')} in each direction, with {_each(found, 'ranks_per_host')} rank "
        "on each host; see [the page on the virtual cluster](../guide/virtual-cluster.md). All hosts share the processors "
        "of this machine, so the cases are small, and such that the network decides, not the processors.",
        "",
        f"- Machine: {machine.processor()}, {os.cpu_count()} processors, {machine.memory()}, Linux {platform.release()}",
        f"- Other work: a load of {min(loads):.0f} to {max(loads):.0f} when the runs of a program began. It should be "
        "below 1: else processors decide, not the network.",
        f"- Software: coll_topo {_each(found, 'revision')}, {machine.open_mpi()}",
        f"- Date: {_each(found, 'date')}",
        f"- Command: `scripts/try-applications{quick}`, a program and a network at a time",
        f"- Seconds: medians of {turns} runs of each component, in turns; in brackets the fastest and the slowest. The "
        f"parts are timed by the programs, the {JOB} from the start of mpirun to its end.",
        "- The ratios are coll_topo's time over the other's: below 1, coll_topo is faster.",
        "- HAN passes everything on to tuned where each host has one rank: the difference between the two is noise.",
    ])


def _each(found, name):
    """All values of a member, as text."""
    return ", ".join(sorted({str(trial[name]) for trial in found}))


def _commands(found):
    lines = ["`scripts/try-applications` made all this; in a folder for each run, it starts", ""]
    for name in PROGRAMS:
        trial = next((trial for trial in found if trial["program"] == name), None)
        if trial:
            lines.append(f"    {trial['command']}")
    rate = f" --rate {USUAL_RATE}"
    lines += ["", "with `scripts/cluster run -- OPTIONS PROGRAM`, where OPTIONS are", ""]
    for name, options in catalogue.COMPONENTS.items():
        words = " ".join(options).format(component="$PWD/build/.libs", topology="$topology")
        lines.append(f"    {TITLES[name]:10} {words}")
    lines += ["", "after `scripts/cluster up " + f"`, or `scripts/cluster up ".join(
        " ".join(NETWORKS[network].shape) + rate for network in catalogue.USUAL_NETWORKS) + "`."]
    return "\n".join(lines)


def _times(runs):
    """The median, and of several the fastest and the slowest."""
    if not runs:
        return ""
    spread = f" ({_seconds(min(runs))} to {_seconds(max(runs))})" if len(runs) > 1 else ""
    return _seconds(statistics.median(runs)) + spread


def _seconds(seconds):
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"
