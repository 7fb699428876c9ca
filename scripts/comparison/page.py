# SPDX-License-Identifier: BSD-3-Clause
"""The page of results, as Markdown."""
import datetime
import os
import platform
import re
import shutil
from collections import Counter

from . import machine
from .report import EQUAL, LOSS, Result
from .study import AGAIN, FAT_TREES, HOPELESS, NETWORKS, TOPO, TORI, USUAL_RATE

REMARKS = "\n## Remarks\n"  # from here on, a page was written by hand
FAMILY_TITLES = {TORI: "tori and meshes", FAT_TREES: "fat trees"}


def write(result, plan, arguments, command):
    parts = [f"# Measured: coll_topo beside tuned, HAN and basic on {_families(plan)}",
             _how(plan, arguments, command)]
    for network, collectives in plan.cases.items():
        parts.append(f"## {_title(network)}")
        if not arguments.rate and NETWORKS[network].rate != USUAL_RATE:
            parts.append(f"Its links are limited to {NETWORKS[network].rate}.")
        for collective in collectives:
            found = [c for c in result.cases if (c.network, c.collective) == (network, collective)]
            if found:
                parts += [f"### {collective}", _table(found), _figure(network, collective, found)]
    parts += ["## Where coll_topo loses", _losses(result)]
    if not arguments.only_others:
        parts += ["## Does coll_topo choose its fastest algorithm?", _choices(result),
                  "## Does the simulation rank algorithms as the network does?", _rankings(result)]
    if result.movements:
        parts += ["## How far the ratios moved when everything was measured again", _movements(result)]
    return "\n\n".join(part for part in parts if part) + "\n"


def publish(text, folder, page):
    """Puts the page where it is wanted, and its figures into a folder beside it, named like the page. Remarks at the
    end of the page that stands there are kept."""
    remarks = REMARKS + page.read_text().split(REMARKS, 1)[1] if page.exists() and REMARKS in page.read_text() else ""
    figures = page.with_suffix("")
    for name in re.findall(r"\]\((.*?\.svg)\)", text):
        target = figures / name.replace("/", "-")
        target.parent.mkdir(parents=True, exist_ok=True)
        source = folder / name if (folder / name).exists() else folder / "run-1" / name
        shutil.copyfile(source, target)
        text = text.replace(f"]({name})", f"]({figures.name}/{target.name})")
    page.write_text(text + remarks)


# ---- parts of the page --------------------------------------------------------------------------------------------

def _how(plan, arguments, command):
    protocol = "Open MPI's own protocols, with rendezvous for long messages" if arguments.rendezvous else \
        "all messages sent at once (eager); over TCP, Open MPI's rendezvous makes exchanges half duplex"
    computer = f"{machine.processor()}, {os.cpu_count()} processors, {machine.memory()}, Linux {platform.release()}"
    ranks = "rank" if arguments.ranks_per_host == 1 else "ranks"
    lines = [
        "Networks of virtual hosts on one machine: network namespaces joined by links that are limited to "
        f"{arguments.rate or USUAL_RATE} in each direction, with {arguments.ranks_per_host} {ranks} on each host; see "
        f"[the page on the virtual cluster](../guide/virtual-cluster.md). Messages contend for links as on real "
        f"{_families(plan)}. All hosts share {os.cpu_count()} processors: below 64 KiB, and with 16 hosts or more, "
        "times are those of the processors rather than of a network.",
        f"- Command: `{command}`",
        f"- Machine: {computer}",
        f"- Software: coll_topo {machine.revision()}, {machine.open_mpi()}",
        f"- Date: {datetime.date.today().isoformat()}",
        f"- Messages: over {arguments.pml}, {protocol}",
        f"- Up to {plan.repetitions} calls of each component and each forced algorithm, in turns within one job; all "
        f"ranks start a call at the same time, and it ends with its slowest rank. Medians. Every result was right. "
        f"Slow components are called less often, and forced algorithms are not tried at sizes for which, by the two "
        f"sizes before, they are expected to take more than {HOPELESS:g} times as long as the fastest of their component.",
        "- tuned/best: the fastest of tuned's algorithms when forced, with segments of 16 KiB; empty where none "
        "was tried.",
        f"- What took less than 1/{LOSS:.2f} of coll_topo's time was measured again beside it alone, up to "
        f"{AGAIN * plan.repetitions} calls of each: the fastest of many algorithms has also been lucky. What is said "
        "below of losses and choices is by that; the tables have the first measurement.",
        "- bound: the share that coll_topo reaches of what no schedule can beat, by the bandwidths and costs in the "
        "topology file. It can be exceeded where the limiters of links let short bursts pass. The ratios are coll_topo's time "
        "over the other's: below 1, coll_topo is faster. 'previous module': coll_topo left the call to tuned, which "
        "was predicted to be faster.",
    ]
    if arguments.ranks_per_host == 1:
        lines.append("- HAN passes everything on to tuned where each host has one rank: the difference between the "
                     "two is the noise.")
    return "\n".join([lines[0], "", *lines[1:]])


def _table(found):
    """A line for each size."""
    lines = ["| bytes | topo | tuned | tuned/best | HAN | basic | bound | to tuned | to best | to HAN | to basic |",
             "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for case in sorted(found, key=lambda case: case.bytes):
        best = case.best_forced()
        best_text = f"{_time(case.median(best))} {best.split(':')[1]}" if best else ""
        who = case.chosen if case.topo_served() else "previous module"
        topo = f"{_time(case.median('topo'))} {who}".strip()
        share = case.rows["topo"].get("share_of_bound", "") if case.topo_served() else ""
        bound = f"{100 * float(share):.0f} %" if share != "" else ""
        ratios = " | ".join(_ratio(case.ratio(name)) for name in ("tuned", best, "han", "basic"))
        lines.append(f"| {_bytes(case.bytes)} | {topo} | {_time(case.median('tuned'))} | {best_text} | "
                     f"{_time(case.median('han'))} | {_time(case.median('basic'))} | {bound} | {ratios} |")
    return "\n".join(lines)


def _choices(result):
    compared = [case for case in result.cases if case.loss_by_choice()]
    wrong = [case for case in compared if case.loss_by_choice() > 1 + EQUAL]
    lines = [f"In {len(compared) - len(wrong)} of {len(compared)} cases, within {100 * EQUAL:.0f} %."]
    if wrong:
        lines += ["", "| network | collective | bytes | chosen | fastest | ratio |", "|---|---|---:|---|---|---:|"]
    for case in wrong:
        chosen, best = case.choice_and_best()
        lines.append(f"| {_title(case.network)} | {case.collective} | {_bytes(case.bytes)} | "
                     f"{case.chosen} {_time(chosen)} | {case.best_own().removeprefix(TOPO)} {_time(best)} | "
                     f"{_ratio(case.loss_by_choice())} |")
    return "\n".join(lines)


def _figure(network, collective, found):
    if len({case.bytes for case in found}) < 2:
        return ""
    return f"![{collective} on the {_title(network)}]({network}/{collective}.svg)"


def _losses(result):
    lost, seeming = [], []
    for case in result.cases:
        titles = {case.best_forced(): "the best forced algorithm of tuned"}
        slower = {name: titles.get(name, name) for name in case.faster_others()}
        lasting = [f"{text} ({_ratio(case.lasting_ratio(name))})" for name, text in slower.items()
                   if case.lasting_ratio(name) > LOSS]
        where = f"- {_title(case.network)}, {case.collective} of {_bytes(case.bytes)}: "
        if lasting:
            lost.append(f"{where}slower than {', '.join(lasting)}")
        elif slower:
            seeming.append(where + ", ".join(f"{text} ({_ratio(case.ratio(name))}, then {_ratio(case.ratio_again(name))})"
                                             for name, text in slower.items()))
    parts = ["\n".join(lost) or f"Nowhere by more than {100 * (LOSS - 1):.0f} %."]
    if seeming:
        parts += ["Slower only when it was measured first, among all others:", "\n".join(seeming)]
    return "\n\n".join(parts)


def _rankings(result):
    if not result.rankings:
        return "Not compared: there was no simulation (configure with SimGrid), or fewer than two algorithms."
    lines = [f"Pairs of coll_topo's algorithms, each forced, at all sizes. Times that differ by less than "
             f"{100 * EQUAL:.0f} %, on the network or in the simulation, count as equal. All times are in "
             "comparison.csv and simulation.csv.", "",
             "| network | collective | sizes | pairs | equal | agree | disagree | in most disagreements |",
             "|---|---|---:|---:|---:|---:|---:|---|"]
    for (network, collective), found in _by_collective(result.rankings, lambda r: (r.network, r.collective)).items():
        pairs = sum(len(r.pairs()) for r in found)
        equal = sum(r.equal(pair) for r in found for pair in r.pairs())
        disagree = [pair for r in found for pair in r.disagreements()]
        lines.append(f"| {_title(network)} | {collective} | {len(found)} | {pairs} | {equal} | "
                     f"{pairs - equal - len(disagree)} | {len(disagree)} | {_most_often(disagree)} |")
    return "\n".join(lines)


def _most_often(pairs):
    """The algorithm that is in most pairs, and in how many."""
    counts = Counter(name for pair in pairs for name in pair)
    return "{} ({})".format(*counts.most_common(1)[0]) if counts else ""


def _movements(result):
    lines = ["Ratios of coll_topo's median to the other's.", "",
             "| network | collective | ratios | moved most | first | second | by |",
             "|---|---|---:|---|---:|---:|---:|"]
    folded = _by_collective(result.movements, lambda movement: (movement[0].network, movement[0].collective))
    for (network, collective), found in folded.items():
        case, component, first, second = max(found, key=lambda movement: Result.moved(*movement[2:]))
        lines.append(f"| {_title(network)} | {collective} | {len(found)} | to {component} at {_bytes(case.bytes)} | "
                     f"{first:.2f} | {second:.2f} | {100 * Result.moved(first, second):.1f} % |")
    return "\n".join(lines)


def _by_collective(items, key):
    """Key -> items, in their order."""
    found = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


# ---- words and numbers --------------------------------------------------------------------------------------------

def _title(network):
    return NETWORKS[network].title


def _families(plan):
    """Of the networks of the plan: "tori and meshes", "fat trees", or both."""
    present = {NETWORKS[network].family for network in plan.cases}
    return ", and ".join(title for family, title in FAMILY_TITLES.items() if family in present)


def _time(microseconds):
    if microseconds is None:
        return ""
    for limit, factor, unit in ((1e3, 1, "us"), (1e6, 1e-3, "ms"), (float("inf"), 1e-6, "s")):
        if microseconds < limit:
            return f"{microseconds * factor:.3g} {unit}"


def _bytes(count):
    for factor, unit in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if count >= factor:
            return f"{count / factor:.4g} {unit}"
    return f"{count} B"


def _ratio(ratio):
    return "" if ratio is None else f"{ratio:.2f}"
