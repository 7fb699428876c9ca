# SPDX-License-Identifier: BSD-3-Clause
"""A cluster of network namespaces with rate-limited links on one Linux machine: see doc/guide/virtual-cluster.md."""


class Failure(Exception):
    """Something the user should know: the message says what is wrong and what to do."""
