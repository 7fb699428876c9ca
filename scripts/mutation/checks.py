# SPDX-License-Identifier: BSD-3-Clause
"""The checks that may notice a mutation, named as in test/mutation/checks.toml:

    unit FOLDER [FILTER]   unit tests of a folder
    algorithm NAME         proofs and runs of one algorithm
    mpi NAME               a program under mpirun, from [programs]
    script NAME [WORD...]  a script of test/mpi, with arguments
"""
import json
import os
import re
import shlex
import signal
import subprocess
import tomllib
from pathlib import Path

from . import Failure
from .catalogue import CHECKS_FILE

SECONDS_NOTED = "seconds.json"
BUILD_LIMIT = 900
SCRIPT_LIMIT = 600


class Checks:
    def __init__(self, top):
        self._top = top
        self._build = top / "build"
        rows = tomllib.loads((top / "test" / "mutation" / CHECKS_FILE).read_text())
        self._programs = rows["programs"]
        self._of_folder = rows["of"]
        noted = top / SECONDS_NOTED
        self._seconds = json.loads(noted.read_text()) if noted.exists() else {}
        makefile = (self._build / "Makefile").read_text()
        # A mutation may leave a variable unused.
        self._flags = [f"{name}={value} -Wno-error" for name, value in
                       re.findall(r"^(CFLAGS|CXXFLAGS) = (.*)$", makefile, re.MULTILINE)]

    def of(self, mutation):
        """In order: its own, then those of the innermost folder that has any."""
        folder = next(str(folder) for folder in Path(mutation.path).parents if str(folder) in self._of_folder)
        return dict.fromkeys([*mutation.checks, *self._of_folder[folder]])

    @staticmethod
    def tried_unbroken(check):
        """Scripts are long, and have time limits of their own."""
        return not check.startswith("script ")

    def note_time(self, check, seconds):
        self._seconds[check] = seconds
        (self._top / SECONDS_NOTED).write_text(json.dumps(self._seconds))

    def run(self, check, limited):
        """What it says against the code: empty if nothing. Raises Failure if the code does not compile."""
        targets, command = self._command(check)
        built, output = self._execute(["make", "-s", f"-j{os.cpu_count()}", *self._flags, *targets], BUILD_LIMIT)
        if built != 0:
            raise Failure(f"it does not compile:\n{output[-2000:]}")
        limit = BUILD_LIMIT
        if limited:
            limit = 20 + 8 * self._seconds[check] if check in self._seconds else SCRIPT_LIMIT
        status, output = self._execute(command, limit)
        if status is None:
            return f"{check}: it did not end within {limit:.0f} s"
        return f"{check}: {self._first_failure(output)}" if status != 0 else ""

    def _command(self, check):
        """What to make, and what to run."""
        kind, name, *rest = check.split()
        if kind == "unit":
            tests = f"test/{name}/unit_tests"
            return [tests], ["make", "-s", "-o", "all", *self._flags, "check-unit", f"FOLDERS={name}",
                             *(f"FILTER={pattern}" for pattern in rest)]
        if kind == "algorithm":
            return ["test/algorithm/unit_tests"], ["make", "-s", "-o", "all", *self._flags, "check-algorithm",
                                                   f"ALGORITHM={name}"]
        if kind == "script":
            return ["all", "check", "TESTS="], [str(self._top / "test" / "mpi" / name), *rest]
        words = [word.replace("TOPOLOGY", str(self._top / "test" / "mpi" / "topology"))
                 for word in shlex.split(self._programs[name])]
        programs = [word for word in words if word.startswith("test/mpi/")]
        return ["component", *programs], [str(self._top / "test" / "mpi" / "run"), *words]

    def _execute(self, command, limit):
        """Status, None after the time limit, and what it printed."""
        environment = dict(os.environ, abs_top_srcdir=str(self._top), abs_top_builddir=str(self._build),
                           GTEST_FAIL_FAST="1")
        log = self._top / "check.log"
        with open(log, "w+", errors="replace") as output:
            process = subprocess.Popen(command, cwd=self._build, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                end_session(process)
            output.seek(0)
            return status, output.read()

    @staticmethod
    def _first_failure(output):
        for pattern in (r"\[  FAILED  \] ([A-Za-z]\S*)", r"(in-process transport: .*)", r"(FAILED: .*)",
                        r"(\S+:\d+: Failure)", r"(.*[Ee]rror.*)"):
            found = re.search(pattern, output)
            if found:
                return found[1].strip()[:120]
        return "it failed"


def end_session(process):
    """Ends what a command has left running: mpirun's processes have groups of their own, but not sessions."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        members = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if session_of(pid) == process.pid]
        for pid in members:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        try:
            process.wait(3 if members else None)
        except subprocess.TimeoutExpired:
            pass
    process.wait()


def session_of(pid):
    try:
        return os.getsid(pid)
    except OSError:
        return -1
