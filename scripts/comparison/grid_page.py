# SPDX-License-Identifier: BSD-3-Clause
"""The page on choices and predictions of a grid, as Markdown, and all of its times as CSV."""
import csv
from collections import Counter

from .simulator import Plan
from .torus_page import time_text

MOST_BEHIND_OWN = 1.05
MOST_BEHIND_REFERENCE = 1.02
SHARE_OF_BOUND = 0.8
LONG = 16 << 20             # bytes from which that share is asked for
CLOSE = 0.1                 # predictions that are off by no more ...
SHARE_CLOSE = 0.95          # ... are this share of all ...
MOST_OFF = 0.25             # ... and none is off by more than this
WORST = 10


def bytes_of(size):
    for suffix, factor in (("KiB", 1 << 10), ("MiB", 1 << 20)):
        if size.endswith(suffix):
            return int(size.removesuffix(suffix)) * factor
    return int(size)


class Judgement:
    """What came out, against the goals."""

    def __init__(self, cells):
        self.cells = [cell for cell in cells if cell.chosen()]
        self.rows = [(cell, row) for cell in cells for row in cell.rows]
        self.behind_own = [cell for cell in self.cells if cell.behind(Plan.OWN) > MOST_BEHIND_OWN]
        self.behind_reference = [cell for cell in self.cells if cell.behind(Plan.REFERENCE) > MOST_BEHIND_REFERENCE]
        self.long = [cell for cell in self.cells if bytes_of(cell.size) >= LONG]
        self.far_from_bound = [cell for cell in self.long if share_of_bound(cell) < SHARE_OF_BOUND]
        self.close = [row for _, row in self.rows if abs(row.error - 1) <= CLOSE]
        self.off = [(cell, row) for cell, row in self.rows if abs(row.error - 1) > MOST_OFF]

    def share_close(self):
        return len(self.close) / len(self.rows) if self.rows else 1

    def met(self):
        return not (self.behind_own or self.behind_reference or self.far_from_bound or self.off or
                    self.share_close() < SHARE_CLOSE)


def goals_are_met(cells):
    return Judgement(cells).met()


def share_of_bound(cell):
    time = cell.chosen().time
    return time.bound / time.seconds


def page(cells, command, revision):
    judged = Judgement(cells)
    return "\n\n".join([
        "# Simulated: is the choice right, and the prediction?",
        f"""Every algorithm that serves a call was simulated on every network of a grid, with the costs that `coll-topo
explain` assumes where the topology file does not say otherwise. What is listed as own can be chosen; references ignore
the network, and can be chosen on up to 2048 ranks where they are predicted 1.5 % faster.

- Command: `{command}`, coll_topo {revision}
- {len(judged.cells)} cells (a call of one size on one network with so many ranks a host), {len(judged.rows)}
  simulations.""",
        "## Goals", goals(judged),
        "## Choices", distribution(judged), worst_choices(judged), farthest_from_bound(judged),
        "## Predictions", predictions(judged), worst_predictions(judged),
        "## Who wins where", winners(judged)]) + "\n"


def goals(judged):
    cells, rows = len(judged.cells), len(judged.rows)
    return table(("goal", "missed in", "of"), [
        (f"chosen takes at most {percent(MOST_BEHIND_OWN - 1)} longer than the best own", len(judged.behind_own), cells),
        (f"at most {percent(MOST_BEHIND_REFERENCE - 1)} longer than the best reference", len(judged.behind_reference),
         cells),
        (f"at least {percent(SHARE_OF_BOUND)} of the bound from {LONG >> 20} MiB", len(judged.far_from_bound),
         len(judged.long)),
        (f"predicted within {percent(CLOSE)} of the simulation, in {percent(SHARE_CLOSE)} of all rows",
         rows - len(judged.close), rows),
        (f"predicted within {percent(MOST_OFF)} in all", len(judged.off), rows)])


def distribution(judged):
    def line(title, values):
        values = sorted(values)
        return (title, *(f"{quantile(values, share):.2f}" for share in (0, 0.05, 0.5, 0.95, 1))) if values else None
    lines = [line("time of the chosen over that of the best own", [cell.behind(Plan.OWN) for cell in judged.cells]),
             line("over that of the best reference", [cell.behind(Plan.REFERENCE) for cell in judged.cells]),
             line(f"share of the bound from {LONG >> 20} MiB", [share_of_bound(cell) for cell in judged.long]),
             line("predicted over simulated, all rows", [row.error for _, row in judged.rows]),
             line("predicted over simulated, chosen rows", [cell.chosen().error for cell in judged.cells])]
    return table(("", "least", "5 %", "median", "95 %", "most"), [line for line in lines if line])


def worst_choices(judged):
    def score(cell):
        return max(cell.behind(Plan.OWN) / MOST_BEHIND_OWN, cell.behind(Plan.REFERENCE) / MOST_BEHIND_REFERENCE)
    worst = sorted(judged.cells, key=score, reverse=True)[:WORST]
    lines = []
    for cell in worst:
        kind = max((Plan.OWN, Plan.REFERENCE), key=cell.behind)
        chosen, best = cell.chosen(), cell.fastest(kind) or cell.chosen()
        lines.append((cell.title(), chosen.plan.algorithm, f"{time_text(chosen.plan.seconds)} → "
                      f"{time_text(chosen.time.seconds)}", best.plan.algorithm,
                      f"{time_text(best.plan.seconds)} → {time_text(best.time.seconds)}", f"{cell.behind(kind):.2f}"))
    return table(("the worst ten", "chosen", "predicted → simulated", "best", "predicted → simulated", "ratio"), lines)


def farthest_from_bound(judged):
    farthest = sorted(judged.long, key=share_of_bound)[:WORST]
    return table(("the farthest from the bound", "chosen", "bound", "simulated", "share"),
                 [(cell.title(), cell.chosen().plan.name(), time_text(cell.chosen().time.bound),
                   time_text(cell.chosen().time.seconds), percent(round(share_of_bound(cell), 2))) for cell in farthest])


def predictions(judged):
    """By algorithm."""
    by_algorithm = {}
    for _, row in judged.rows:
        by_algorithm.setdefault(row.plan.algorithm, []).append(row.error)
    lines = []
    for name, errors in by_algorithm.items():
        errors.sort()
        close = sum(abs(error - 1) <= CLOSE for error in errors)
        lines.append((name, len(errors), percent(close / len(errors)), f"{errors[0]:.2f}",
                      f"{quantile(errors, 0.5):.2f}", f"{errors[-1]:.2f}"))
    return table(("predicted over simulated", "rows", f"within {percent(CLOSE)}", "least", "median", "most"), lines)


def worst_predictions(judged):
    worst = sorted(judged.rows, key=lambda one: max(one[1].error, 1 / one[1].error), reverse=True)[:WORST]
    return table(("the worst ten", "algorithm", "predicted", "simulated", "ratio"),
                 [(cell.title(), row.plan.algorithm, time_text(row.plan.seconds), time_text(row.time.seconds),
                   f"{row.error:.2f}") for cell, row in worst])


def winners(judged):
    wins = Counter(cell.chosen().plan.algorithm for cell in judged.cells)
    own = {row.plan.algorithm for _, row in judged.rows if row.plan.kind == Plan.OWN}
    return table(("algorithm", "chosen in"),
                 [(name, wins.get(name, 0)) for name in sorted(own, key=lambda name: (-wins.get(name, 0), name))])


def quantile(values, share):
    return values[round(share * (len(values) - 1))]


def percent(share):
    return f"{100 * share:.3g} %"


def table(head, lines):
    """Columns of numbers stand to the right."""
    numbers = [all(str(line[column])[:1].isdigit() for line in lines) for column in range(len(head))]
    rows = [head, ["---:" if number else "---" for number in numbers], *lines]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


def write_csv(cells, path):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("network", "ranks_per_host", "collective", "bytes", "kind", "plan", "chosen", "predicted_seconds",
                         "simulated_seconds", "bound_seconds"))
        for cell in cells:
            for row in cell.rows:
                writer.writerow((cell.network, cell.ranks_per_host, cell.collective, bytes_of(cell.size), row.plan.kind,
                                 row.plan.name(), row.plan.chosen, row.plan.seconds, row.time.seconds, row.time.bound))
