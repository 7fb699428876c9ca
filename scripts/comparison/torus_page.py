# SPDX-License-Identifier: BSD-3-Clause
"""The page of simulated times, as Markdown."""
import math

WRONG = 1.05  # a choice that takes longer than the fastest algorithm by more is called wrong


def page(tables, command, revision, arguments):
    parts = ["# Simulated: every algorithm on tori and meshes of many shapes", introduction(command, revision, arguments),
             "## Does coll_topo choose the fastest algorithm?", choices(tables)]
    for table in tables:
        parts += [f"## {table.collective} on the {table.network.title}", with_costs(table), links_only(table)]
    return "\n\n".join(parts) + "\n"


def introduction(command, revision, arguments):
    given_up = "" if math.isinf(arguments.give_up) else \
        f"is predicted to take more than {arguments.give_up:g} times as long as the fastest,\n  or "
    return f"""SimGrid carries the messages over links of 12.5 GB/s and 0.5 us that are shared as in its fluid model: a message waits
for its latency, and then uses all links of its route for its bytes. So messages that a tree sends one after the other
to near and far hosts meet on the first link, which they would not do on a real network; the formula of logp_tree does
not include this, replays do.

- Command: `{command}`, coll_topo {revision}
- With software costs: each host takes 1 us a message, and combines operands at 8 GB/s and copies at 10 GB/s, as
  `coll-topo explain` assumes where the topology file does not say otherwise. Times are divided by that of the fastest
  algorithm; below them are the time of the chosen one, and its share of the bound. No schedule beats the
  bound: it is what links, messages, copying or combining take at least, whichever is longest.
- Links only: the share of the bound that each algorithm reaches if only links take time.
- **Bold**: what coll_topo chooses by itself, for hosts with these costs. Algorithms in *italics* ignore the network
  or keep operands in a fixed order, and run only when asked for by name.
- Empty: the algorithm does not serve these hosts, has too many messages to be simulated,
  {given_up}took the simulator more than {arguments.limit:g} seconds."""


def choices(tables):
    cases = [(table, size) for table in tables for size in table.sizes if table.choice(size)]
    wrong = [(table, size) for table, size in cases if table.ratio(table.choice(size), size) > WRONG]
    lines = [f"In {len(cases) - len(wrong)} of {len(cases)} cases it takes the fastest, or one that is at most "
             f"{100 * (WRONG - 1):.0f} % slower; in {len(wrong)} it does not."]
    if wrong:
        lines += ["", "| network | collective | size | chosen | fastest | ratio |", "|---|---|---:|---|---|---:|"]
    lines += [f"| {table.network.title} | {table.collective} | {size} | {table.choice(size)} | {table.fastest(size)} | "
              f"{table.ratio(table.choice(size), size):.2f} |" for table, size in wrong]
    return "\n".join(lines)


def with_costs(table):
    lines = head("with software costs", table.sizes)
    for name, times in table.with_costs.items():
        cells = [mark(f"{table.ratio(name, size):.2f}", times[size]) if size in times else "" for size in table.sizes]
        lines.append(f"| {title(table, name)} | {' | '.join(cells)} |")
    chosen = [table.with_costs[name][size] if (name := table.choice(size)) else None for size in table.sizes]
    lines.append("| time of the chosen | " + " | ".join(time_text(time.seconds) if time else "" for time in chosen) +
                 " |")
    lines.append("| its share of the bound | " + " | ".join(share_text(time) if time else "" for time in chosen) + " |")
    return "\n".join(lines)


def links_only(table):
    lines = head("links only, share of the bound", table.sizes)
    for name, times in table.links_only.items():
        cells = [mark(share_text(times[size]), times[size]) if size in times else "" for size in table.sizes]
        lines.append(f"| {title(table, name)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def title(table, name):
    return f"*{name}*" if name in table.on_request else name


def head(title, sizes):
    return [f"| {title} | {' | '.join(size.replace('KiB', ' KiB').replace('MiB', ' MiB') for size in sizes)} |",
            "|---|" + "---:|" * len(sizes)]


def mark(text, time):
    return f"**{text}**" if time.chosen else text


def share_text(time):
    return f"{100 * time.bound / time.seconds:.3g} %"


def time_text(seconds):
    for limit, factor, unit in ((1e-3, 1e6, "us"), (1, 1e3, "ms"), (float("inf"), 1, "s")):
        if seconds < limit:
            return f"{seconds * factor:.3g} {unit}"
