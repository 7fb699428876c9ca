# SPDX-License-Identifier: BSD-3-Clause
"""What is kept of a profile that coll_topo_profile has written, and how the page shows it."""
import json

SHOWN = 5             # rows of a program: those that took longest
LEAST_SHARE = 0.005   # of the time of the job; what took less is not shown


def kept(file):
    """Of a file of the component, or None if there is none. Seconds are those of a rank, on average;
    first calls, which make plans and connections, are not among the others."""
    if not file.exists():
        return None
    profile = json.loads(file.read_text())
    ranks = profile["profiled_ranks"]

    def of_a_rank(seconds):
        return None if seconds is None else seconds / ranks

    rows = [{"collective": row["collective"], "least_bytes": row["least_bytes"], "most_bytes": row["most_bytes"],
             "ranks": profile["communicators"][row["communicator"]]["ranks"], "calls": row["calls"],
             "run_by": row["run_by"], "passed_on": row["passed_on"], "seconds": of_a_rank(row["total_seconds"]),
             "waiting": of_a_rank(row["waiting_seconds"]), "first": of_a_rank(row["first_seconds"])}
            for row in profile["rows"]]
    return {"seconds": profile["seconds"], "rows": sorted(rows, key=lambda row: -_all(row))}


def table(title, profile):
    """One program's rows that took longest."""
    total = sum(_all(row) for row in profile["rows"])
    shown = [row for row in profile["rows"][:SHOWN] if _all(row) >= LEAST_SHARE * profile["seconds"]]
    lines = [f"{title}: {len(profile['rows'])} kinds of calls, {total:.3g} of {profile['seconds']:.3g} s "
             "from MPI_Init to MPI_Finalize."]
    if shown:
        lines += ["", "| collective | bytes | ranks | calls | run by | seconds | of these, waiting | first calls, besides |",
                  "|---|---:|---:|---:|---|---:|---:|---:|"]
    for row in shown:
        by = row["run_by"] + (", passed on" if row["passed_on"] else "")
        lines.append(f"| {row['collective']} | {_size(row['least_bytes'])} | {row['ranks']} | {row['calls']} | {by} | "
                     f"{_number(row['seconds'])} | {_number(row['waiting'])} | {_number(row['first'])} |")
    return "\n".join(lines)


def _all(row):
    return (row["seconds"] or 0) + (row["first"] or 0)


def _number(seconds):
    """Nothing where the profile has none, as for calls that were not compared between ranks."""
    return "" if seconds is None else f"{seconds:.3g}"


def _size(least):
    """A class of sizes by its smallest: a power of two."""
    for factor, unit in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if least >= factor:
            return f"from {least // factor} {unit}"
    return f"from {least} B" if least else ""
