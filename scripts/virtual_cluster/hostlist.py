# SPDX-License-Identifier: BSD-3-Clause
"""Hostlists, as in topology files: n[00-03,08],m1."""
import re
from itertools import product

from . import Failure


def expand(text):
    words = re.findall(r"(?:[^,\[\]]|\[[^\[\]]*\])+", text)
    if not words or ",".join(words) != text:
        raise Failure(f"'{text}' is no list of hosts; write for instance n00,n05 or n[00-03,08]")
    return [name for word in words for name in _expand_word(word)]


def _expand_word(word):
    parts = re.split(r"\[(.*?)\]", word)  # text outside and inside brackets in turn
    choices = [_numbers(part) if index % 2 else [part] for index, part in enumerate(parts)]
    return ["".join(choice) for choice in product(*choices)]


def _numbers(ranges):
    result = []
    for each in ranges.split(","):
        match = re.fullmatch(r"([0-9]+)(?:-([0-9]+))?", each)
        if not match or (match[2] and int(match[2]) < int(match[1])):
            raise Failure(f"'[{ranges}]' is no list of numbers; write for instance [00-03,08]")
        digits = len(match[1])
        result += [f"{number:0{digits}}" for number in range(int(match[1]), int(match[2] or match[1]) + 1)]
    return result
