# SPDX-License-Identifier: BSD-3-Clause
"""Packets that this machine loses on the way from one network device to another."""

COUNTS = "/proc/net/softnet_stat"  # a line for each processor, in hexadecimal digits: packets, dropped, ...
ALLOWED = "/proc/sys/net/core/netdev_max_backlog"  # of the machine, so a cluster cannot have its own
ENOUGH = 20000


class DroppedPackets:
    """From now on, of all processors; none if the machine does not say. The file stays open, as the /proc of a cluster
    does not know a process that has entered it."""

    def __init__(self):
        try:
            self._counts = open(COUNTS)
        except OSError:
            self._counts = None
        self._before = self._count()

    def _count(self):
        if self._counts is None:
            return 0
        self._counts.seek(0)
        return sum(int(line.split()[1], 16) for line in self._counts)

    def note(self):
        """What to say of them; nothing if there are none."""
        dropped = self._count() - self._before
        if dropped <= 0:
            return ""
        return (f"cluster: Linux dropped {dropped} packets that waited for a processor, so that messages were sent again "
                f"and calls took longer than on such a network; see {ALLOWED}, which root can set to {ENOUGH}")
