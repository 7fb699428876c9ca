# SPDX-License-Identifier: BSD-3-Clause
"""The results on a terminal: a table with small bars."""
import os
import shutil

from .results import BASIC, COMPONENTS, TOPO, TUNED, bytes_text, ratio_text, time_text

NARROWEST, WIDEST = 80, 100
PARTS = " ▏▎▍▌▋▊▉"  # of a block
SLOWER, FASTER = 0.95, 1.05
GREEN, RED = "32", "31"


class Style:
    """What a stream can show."""

    def __init__(self, out, columns=None):
        terminal = out.isatty()
        self.blocks = (getattr(out, "encoding", None) or "ascii").lower().startswith("utf")
        self.colours = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
        if columns is None:
            columns = shutil.get_terminal_size((WIDEST, 24)).columns if terminal else WIDEST
        self.columns = min(WIDEST, max(NARROWEST, columns))

    def bar(self, share, width, rest=" "):
        """A bar of at most `width` characters, filled up with `rest`."""
        share = min(1, max(0, share))
        if self.blocks:
            eighths = max(1, round(share * width * 8))
            text = "█" * (eighths // 8) + (PARTS[eighths % 8] if eighths % 8 else "")
        else:
            text = "#" * max(1, round(share * width))
        return text.ljust(width, rest)

    def paint(self, text, colour):
        return f"\033[{colour}m{text}\033[0m" if self.colours and colour else text


def table(results, style):
    """A line for each case on a network. The bars: how many times as fast as tuned, and the share of the bound."""
    room = style.columns - 73
    share_bar = 10 if room >= 22 else 0
    speed_bar = room - share_bar - (1 if share_bar else 0)
    of_the = "of the physical" if share_bar else "of the"
    lines = [f"{'':10} {'':8}  {'median time of a call':^30}  {'times as fast as':{speed_bar + 13}} {of_the}",
             f"{'collective':10} {'size':>8}  {TOPO:>10} {TUNED:>9} {BASIC:>9}  {BASIC:>5}  "
             f"{TUNED:>5} {'':{speed_bar}}  bound"]
    fastest = max(case.times_as_fast_as(TUNED) for case in results.cases())
    for case in results.cases():
        speed, share = case.times_as_fast_as(TUNED), case.share_of_bound()
        colour = GREEN if speed > FASTER else RED if speed < SLOWER else None
        line = (f"{case.collective:10} {bytes_text(case.bytes):>8}  " + _times(case) +
                f"  {ratio_text(case.times_as_fast_as(BASIC)):>5}  {ratio_text(speed):>5} " +
                style.paint(style.bar(speed / fastest, speed_bar), colour) + f"  {_percent(share):>5}" +
                (" " + style.bar(share, share_bar, "·" if style.blocks else ".") if share and share_bar else ""))
        lines.append(line.rstrip() + _remark(case))
    return lines


def table_of_times(results):
    """Without ratios, where they would mislead."""
    lines = [f"{'collective':10} {'size':>8}  {TOPO:>10} {TUNED:>9} {BASIC:>9}"]
    lines += [f"{case.collective:10} {bytes_text(case.bytes):>8}  " + _times(case) + _remark(case)
              for case in results.cases()]
    return lines


def verdict(results):
    different, count = results.different(), len(results.cases())
    if different:
        return f"Results equal: NO. They differ in {len(different)} of {count} cases."
    return f"Results equal: yes, in all {count} cases, on all ranks, with {', '.join(COMPONENTS[:-1])} and {BASIC}."


def summary(results):
    """The same in a sentence."""
    speeds = [case.times_as_fast_as(TUNED) for case in results.cases()]
    faster = [speed for speed in speeds if speed > FASTER]
    others = [speed for speed in speeds if speed <= FASTER]
    shares = [case.share_of_bound() for case in results.cases() if case.bound]
    number = lambda ratio: ratio_text(ratio)[:-1]  # noqa: E731
    tuned = "times as fast as tuned, which Open MPI uses by itself, in"
    if not faster:
        text = f"coll_topo is {_range(others, number)} {tuned} all cases"
    else:
        text = f"coll_topo is {_range(faster, number)} {tuned} {len(faster)} of {len(speeds)} cases"
        text += f" and {_range(others, number)} times as fast in the other{'s'[:len(others) - 1]}" if others else ""
    return text + (f". It reaches {_range(shares, _percent)} of the physical bound." if shares else ".")


def _times(case):
    return f"{time_text(case.time(TOPO)):>10} {time_text(case.time(TUNED)):>9} {time_text(case.time(BASIC)):>9}"


def _percent(share):
    return f"{100 * share:.0f} %" if share else ""


def _remark(case):
    return "" if case.equal() else "  RESULTS DIFFER"


def _range(values, text):
    least, most = text(min(values)), text(max(values))
    return least if least == most else f"{least} to {most}"
