# SPDX-License-Identifier: BSD-3-Clause
"""The parts of scripts/compare."""


class Failure(Exception):
    """Something that the user must mend; the text says what."""
