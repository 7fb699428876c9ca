# SPDX-License-Identifier: BSD-3-Clause
"""The command that a page of results names."""
import shlex
import sys


def for_others(program, places):
    """The command as somebody else would give it: without the options `places`, which say where things are here."""
    words, here = [], iter(sys.argv[1:])
    for word in here:
        if word in places:
            next(here, None)
        elif word.split("=", 1)[0] not in places:
            words.append(word)
    return shlex.join([program, *words])
