# SPDX-License-Identifier: BSD-3-Clause
"""What messages between processes cost on this machine."""
import functools
import os
import socket
import time

DURATION = 0.2  # seconds; short enough that nobody waits for it
AT_ONCE = 50


@functools.cache
def seconds():
    """Of a processor, for a short message over TCP from one process to another that has to be woken for it: the least
    of some means, as the machine may be busy."""
    processors = os.sched_getaffinity(0)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5)
        os.sched_setaffinity(0, {min(processors)})  # both of them
        try:
            partner = os.fork()
            if partner == 0:
                answer(listener)
            with connected(listener.accept()[0]) as partner_socket:
                least = exchange(partner_socket)
            os.waitpid(partner, 0)
        finally:
            os.sched_setaffinity(0, processors)
    return least


def connected(one_end):
    one_end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return one_end


def answer(listener):
    """Sends all it gets back, until the other process ends."""
    try:
        with connected(socket.create_connection(listener.getsockname())) as other:
            while message := other.recv(64):
                other.sendall(message)
    finally:
        os._exit(0)


def exchange(other):
    least, end = float("inf"), time.perf_counter() + DURATION
    while time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(AT_ONCE):
            other.sendall(bytes(64))
            other.recv(64)
        least = min(least, (time.perf_counter() - begin) / AT_ONCE / 2)
    return least
