# SPDX-License-Identifier: BSD-3-Clause
"""See scripts/demo."""
import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import textwrap
from functools import partial
from pathlib import Path

sys.dont_write_bytecode = True
SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS))
from demonstration import jobs, picture, private, table  # noqa: E402
from demonstration.progress import Step  # noqa: E402

ONE_MACHINE = """These times say nothing about networks: sixteen processes share one memory, in which a message over
one link of the torus costs as much as one across all of it. They show that coll_topo runs, and that
its results are right."""


def main():
    arguments = parser().parse_args()
    private.interrupt_on_signals()
    try:
        if not arguments.build:
            build()
        code = demonstrate(arguments)
    except KeyboardInterrupt:
        code = private.INTERRUPTED
    if code == private.INTERRUPTED:
        print("demo: stopped; nothing of it is left running", file=sys.stderr)
    return code


def parser():
    known = argparse.ArgumentParser(prog="scripts/demo", description="Shows what coll_topo does, on a virtual network.")
    known.add_argument("--svg", type=Path, metavar="FILE", help="the picture (default: demo.svg in build/)")
    known.add_argument("--rounds", type=positive, default=1, metavar="N", help="of runs of each component (default: 1)")
    known.add_argument("--sizes", type=sizes, default="64KiB,1MiB", metavar="LIST", help="default: %(default)s")
    known.add_argument("--one-machine", action="store_true", help="no virtual network")
    known.add_argument("--build", type=Path, metavar="DIRECTORY", help="built already, here")
    return known


def positive(text):
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no positive number")
    return int(text)


def sizes(text):
    units = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20}
    found = [re.fullmatch(r"([1-9][0-9]{0,8})(|KiB|MiB)", word) for word in text.split(",")]
    if None in found:
        raise argparse.ArgumentTypeError(f"'{text}' is no list of sizes such as 64KiB,1MiB")
    return [int(match[1]) * units[match[2]] for match in found]


def build():
    """Builds in build/, in a process group of its own, so that nothing of it is left when this ends."""
    folder = SCRIPTS.parent / "build"
    log = folder / "demo" / "build.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with Step("building the component, the example, and what computes routes") as step, log.open("w") as file:
        process = subprocess.Popen([str(SCRIPTS / "build"), "--demo"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, start_new_session=True)
        try:
            follow(process.stdout, file, step, folder)
            code = process.wait()
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise
    if code != 0:
        raise SystemExit(f"demo: the build failed. The end of {log}:\n" +
                         "".join(log.read_text().splitlines(keepends=True)[-30:]))


def follow(lines, file, step, folder):
    """Notes how far a build is, by what make says it does."""
    done = total = 0
    for line in lines:
        file.write(line)
        if line.startswith("=="):
            step.note(line[2:].strip())
        if line.startswith("== building"):
            total = count_compilations(folder)
        elif re.match(r" +(CC|CXX) ", line):
            done += 1
            step.note(f"{done} of {max(done, total)} files")


def count_compilations(folder):
    said = subprocess.run(["make", "-C", str(folder), "-n", "demo"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True).stdout
    return len(re.findall(r"echo \"  (?:CC|CXX)  ", said))


def demonstrate(arguments):
    folder = (arguments.build or SCRIPTS.parent / "build").resolve()
    arguments.svg = (arguments.svg or folder / "demo.svg").resolve()
    if not arguments.one_machine:
        place = folder / "demo" / "private"
        place.mkdir(parents=True, exist_ok=True)
        code = private.run(partial(on_network, folder, arguments), place)
        if code != private.UNAVAILABLE:
            return code
        say("So all runs on this one machine.", "")
    return on_one_machine(folder, arguments)


def on_network(folder, arguments):
    run = jobs.on_virtual_torus(folder, arguments.sizes, arguments.rounds, Step)
    style = table.Style(sys.stdout)
    say("", *table.table(run.results, style), "", table.verdict(run.results))
    say(*textwrap.wrap(table.summary(run.results), style.columns), "")
    if run.busy > jobs.BUSY:
        say(f"Other programs kept {100 * run.busy:.0f} % of this machine's processors busy: on a quiet one, times are",
            "shorter and ratios differ.", "")
    arguments.svg.write_text(picture.draw(
        run.results, "The same MPI program with three components, 16 processes on a 4x4 torus",
        ["Links of 25 Mbit/s in each direction between 16 virtual hosts on one machine. Medians; in brackets, the time "
         "over coll_topo's.", f"Made by scripts/demo --svg {shown(arguments.svg)}"]))
    say(f"The picture: {shown(arguments.svg)}", "",
        "The program is the same each time. These options of mpirun chose coll_topo:",
        f"  {shlex.join(jobs.Setting(folder, 'FILE').options[jobs.TOPO])}",
        "where FILE says what the network is like; here:",
        *(f"  {line}" for line in run.topology.splitlines()),
        f"What it chose, and why: {shown(folder / 'demo' / 'coll_topo.log')}. With a cluster of yours: README.md")
    return 1 if run.results.different() else 0


def on_one_machine(folder, arguments):
    results = jobs.on_one_machine(folder, arguments.sizes, arguments.rounds, Step)
    say("", *table.table_of_times(results), "", table.verdict(results), ONE_MACHINE, "No picture is made of them.")
    return 1 if results.different() else 0


def say(*lines):
    print("\n".join(lines), flush=True)


def shown(path):
    return os.path.relpath(path, SCRIPTS.parent) if SCRIPTS.parent in path.parents else str(path)


if __name__ == "__main__":
    sys.exit(main())
