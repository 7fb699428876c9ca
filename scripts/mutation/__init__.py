# SPDX-License-Identifier: BSD-3-Clause
"""Small ways to break the code, and what notices them: for scripts/check-mutations."""


class Failure(Exception):
    """Something that the user must mend, in words."""
