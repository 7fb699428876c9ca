# SPDX-License-Identifier: BSD-3-Clause
"""Packets that this machine has lost on the way from one network device to another."""

COUNTS = "/proc/net/softnet_stat"  # a line for each processor, in hexadecimal digits: packets, dropped, ...
ALLOWED = "/proc/sys/net/core/netdev_max_backlog"  # of the machine, so a cluster cannot have its own
ENOUGH = 20000


def count(counts=COUNTS):
    """Of all processors, since the machine was started; 0 if it does not say."""
    try:
        with open(counts) as file:
            return sum(int(line.split()[1], 16) for line in file)
    except OSError:
        return 0


def note(dropped):
    """What to say of so many; nothing if there are none."""
    if dropped <= 0:
        return ""
    return (f"cluster: Linux dropped {dropped} packets that waited for a processor, so that messages were sent again and "
            f"calls took longer than on such a network; see {ALLOWED}, which root can set to {ENOUGH}")
