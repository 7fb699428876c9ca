# SPDX-License-Identifier: BSD-3-Clause
"""Addresses inside a cluster. Its networks are connected to no other, so every cluster has the same ones."""
from . import Failure

MANAGEMENT_BITS = 16


def _dotted(network, number):
    number += network << 16
    return ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))


def subnet(source_class):
    """Of the hosts of a source class."""
    return f"{_dotted(0x0a00 + source_class, 0)}/16"


def hosts(classes):
    """The address of every host, for messages of programs."""
    if max(classes, default=0) > 127:
        raise Failure("the routes of this network depend on the source in more ways than can be set up here (128)")
    used = {}
    result = []
    for source_class in classes:
        used[source_class] = used.get(source_class, 0) + 1
        result.append(_dotted(0x0a00 + source_class, used[source_class]))
    return result


def cable_end(cable, side):
    """Of one of the two ends, 0 or 1, of a cable; the two are a subnet, /31."""
    return _dotted(0x0a80, 2 * cable + side)


def hardware(link):
    """The Ethernet address of the interface a link leaves from."""
    return f"02:00:00:{link >> 16 & 255:02x}:{link >> 8 & 255:02x}:{link & 255:02x}"


def management(host):
    """Of a host, or -1 for the head, in the network of Open MPI's daemons, which has no limits."""
    return _dotted(0xac1f, host + 2)
