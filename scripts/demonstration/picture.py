# SPDX-License-Identifier: BSD-3-Clause
"""The results as an SVG file: for each case a bar for each component, and where the physical bound is."""
from html import escape

from .results import COMPONENTS, TOPO, bytes_text, ratio_text, time_text

COLOURS = {TOPO: "#1b7f4d", "tuned": "#8a97a8", "basic": "#c3cbd5"}
BOUND_COLOUR = "#c0392b"
MARGIN, TITLE, COLUMN, GAP = 24, 76, 420, 36  # pixels; a column for each size
BAR, PITCH, CASE = 13, 16, 82                 # of a bar, from bar to bar, from case to case
NAME, LABEL = 66, 100                         # left of the bars, and right of the longest


def draw(results, title, remark):
    sizes = sorted({case.bytes for case in results.cases()})
    collectives = list(dict.fromkeys(case.collective for case in results.cases()))
    width = 2 * MARGIN + len(sizes) * COLUMN + (len(sizes) - 1) * GAP
    height = TITLE + 26 + len(collectives) * CASE + 54
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
             f'height="{height}" font-family="system-ui, sans-serif" font-size="12" fill="#222">',
             f'<rect width="{width}" height="{height}" fill="#fff"/>',
             _text(MARGIN, 30, title, 'font-size="17" font-weight="600"')]
    parts += _legend(MARGIN, 54)
    for column, size in enumerate(sizes):
        left = MARGIN + column * (COLUMN + GAP)
        parts.append(_text(left, TITLE + 14, bytes_text(size), 'font-size="14" font-weight="600"'))
        for case in results.cases():
            if case.bytes == size:
                parts += _case(left, TITLE + 26 + collectives.index(case.collective) * CASE, case)
    for line, words in enumerate(remark):
        parts.append(_text(MARGIN, height - 32 + 16 * line, words, 'font-size="11" fill="#555"'))
    return "\n".join(parts + ["</svg>"]) + "\n"


def _legend(left, y):
    parts = []
    for name in COMPONENTS:
        parts += [_bar(left, y - 10, 12, COLOURS[name]), _text(left + 18, y, name)]
        left += 40 + 7 * len(name)
    return parts + [_line(left + 5, y - 12, y + 2),
                    _text(left + 14, y, "the physical bound: all links busy, software free of cost")]


def _case(left, top, case):
    """The longest bar is as long as there is room; the times of different cases are not compared."""
    room = COLUMN - NAME - LABEL
    longest = max(case.time(name) for name in COMPONENTS)
    parts = [_text(left, top + 14, case.collective, 'font-weight="600"')]
    for row, name in enumerate(COMPONENTS):
        length = max(1, room * case.time(name) / longest)
        y = top + 18 + row * PITCH
        label = time_text(case.time(name))
        if name != TOPO:
            label += f"  ({ratio_text(case.times_as_fast_as(name))})"
        parts += [_text(left, y + 11, name, 'fill="#555" font-size="11"'),
                  _bar(left + NAME, y, length, COLOURS[name], f"{name}: {time_text(case.time(name))}"),
                  _text(left + NAME + length + 6, y + 11, label, 'font-size="11"')]
    if case.bound:
        x = left + NAME + room * case.bound / longest
        parts.append(_line(x, top + 15, top + 15 + BAR + 5))
    return parts


def _text(x, y, words, style=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'


def _bar(x, y, length, colour, title=""):
    inner = f"<title>{escape(title)}</title>" if title else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{length:.1f}" height="{BAR}" fill="{colour}">{inner}</rect>'


def _line(x, top, bottom):
    return (f'<line x1="{x:.1f}" y1="{top:.1f}" x2="{x:.1f}" y2="{bottom:.1f}" stroke="{BOUND_COLOUR}" '
            'stroke-width="2.5"/>')
