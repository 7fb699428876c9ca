# SPDX-License-Identifier: BSD-3-Clause
"""What the simulator says of the same algorithms on the same networks."""
import csv
import io
import subprocess
import sys

TIME_LIMIT = 600  # seconds, for one collective


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
            print(f"compare: {network}: no simulation of {collective}: {(done.stderr.splitlines() or ['it failed'])[0]}", file=sys.stderr)
            continue
        for row in csv.DictReader(io.StringIO(done.stdout)):
            if not row["seconds"]:  # it does not serve these ranks
                continue
            found.append({"network": network, "collective": collective, "bytes": int(row["bytes"]),
                          "algorithm": row["algorithm"], "us": float(row["seconds"]) * 1e6})
    return found
