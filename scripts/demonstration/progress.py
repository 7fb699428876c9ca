# SPDX-License-Identifier: BSD-3-Clause
"""Progress of steps that take a while: one line that changes on a terminal, else a line now and then."""
import sys
import threading
import time

REFRESH = 0.5  # seconds, on a terminal
REMARK = 10    # elsewhere
BRIEF = 2      # a step that takes less needs no time in its line


class Step:
    """`with Step("building") as step:`, and step.note("3 of 9 files") inside."""

    def __init__(self, title, out=None):
        self.title, self.out = title, out or sys.stdout
        self._note = ""
        self._terminal = self.out.isatty()
        self._ended = threading.Event()

    def note(self, text):
        self._note = text

    def __enter__(self):
        self._start = time.monotonic()
        print(f"== {self.title}", end="" if self._terminal else "\n", file=self.out, flush=True)
        self._thread = threading.Thread(target=self._report, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind, *_):
        self._ended.set()
        self._thread.join()
        seconds = time.monotonic() - self._start
        took = f"{seconds:.0f} s" if seconds >= BRIEF else ""
        if kind is not None:
            took = "stopped"
        if self._terminal:
            print(f"\r== {self.title}{took and ': ' + took}\033[K", file=self.out, flush=True)
        elif took:
            print(f"   {took}", file=self.out, flush=True)

    def _report(self):
        while not self._ended.wait(REFRESH if self._terminal else REMARK):
            words = f"{self._note}, " if self._note else ""
            words += f"{time.monotonic() - self._start:.0f} s"
            if self._terminal:
                print(f"\r== {self.title}: {words}\033[K", end="", file=self.out, flush=True)
            else:
                print(f"   {words}", file=self.out, flush=True)
