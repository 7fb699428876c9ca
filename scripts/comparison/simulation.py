# SPDX-License-Identifier: BSD-3-Clause
"""What coll-topo says of the same networks: which algorithm it chooses, and what the simulator makes of each."""
import csv
import io
import subprocess
import sys

TIME_LIMIT = 600  # seconds, for one collective


def choices(build, topology_file, network, cases, ranks_per_host):
    """What coll_topo chooses by itself, `cases` being (collective, bytes)."""
    found = []
    for collective, size in cases:
        command = [str(build / "coll-topo"), "explain", topology_file, "--collective", collective, "--bytes", str(size),
                   "--ranks-per-host", str(ranks_per_host), "--format", "csv"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        found += [{"network": network, "collective": collective, "bytes": size, "algorithm": row["algorithm"]}
                  for row in csv.DictReader(io.StringIO(done.stdout)) if row["chosen"] == "true"]
    return found


def simulate(build, topology_file, network, algorithms, ranks_per_host):
    """Simulated times of forced algorithms, `algorithms` being collective -> bytes -> algorithm -> any. Nothing where
    the simulator is not built in."""
    found = []
    for collective, sizes in algorithms.items():
        names = sorted({name for times in sizes.values() for name in times})
        if not names:
            continue
        command = [str(build / "coll-topo"), "simulate", topology_file, "--collective", collective,
                   "--bytes", ",".join(map(str, sizes)), "--algorithm", ",".join(names),
                   "--ranks-per-host", str(ranks_per_host), "--format", "csv"]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            print(f"compare: {network}: simulating {collective} took too long and was left out", file=sys.stderr)
            continue
        if done.returncode != 0:
            said = (done.stderr.splitlines() or ["it failed"])[0]
            print(f"compare: {network}: no simulation of {collective}: {said}", file=sys.stderr)
            continue
        for row in csv.DictReader(io.StringIO(done.stdout)):
            if not row["seconds"]:  # it does not serve these ranks
                continue
            found.append({"network": network, "collective": collective, "bytes": int(row["bytes"]),
                          "algorithm": row["algorithm"], "us": float(row["seconds"]) * 1e6})
    return found
