# SPDX-License-Identifier: BSD-3-Clause
"""Test traffic. Runs in a process of the cluster, which opens sockets in the network namespaces of all vertices."""
import json
import os
import selectors
import socket
import time
from dataclasses import dataclass

from . import Failure, namespaces

WARM_UP = 0.15   # seconds until queues and windows are as full as they get
DURATION = 0.5   # seconds measured after that
CHUNK = bytes(16384)


@dataclass
class Flow:
    """TCP from one vertex to another; addresses decide the route."""
    start: int
    start_address: str
    end: int
    end_address: str


class Sockets:
    def __init__(self, cluster):
        self.cluster = cluster

    def go_to(self, vertex):
        path = self.cluster.inside / "network" / self.cluster.network.names[vertex]
        namespaces.enter(str(path), namespaces.NETWORK)

    def datagram(self, vertex, address):
        self.go_to(vertex)
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.bind((address, 0))
        made.settimeout(2)
        return made

    def connection(self, flow):
        """The sending and the receiving socket of a new connection."""
        self.go_to(flow.end)
        with socket.socket() as listening:
            listening.bind((flow.end_address, 0))
            listening.listen(1)
            listening.settimeout(5)
            self.go_to(flow.start)
            sender = socket.socket()
            sender.bind((flow.start_address, 0))
            sender.settimeout(5)
            try:
                sender.connect(listening.getsockname())
                receiver = listening.accept()[0]
            except OSError as error:
                names = self.cluster.network.names
                raise Failure(f"no connection from {names[flow.start]} to {names[flow.end]}: {error}") from None
        return sender, receiver

    def packets_sent(self):
        """Of every link so far, by its device's counter."""
        result = {}
        for vertex in range(len(self.cluster.network.names)):
            self.go_to(vertex)
            with open("/proc/self/net/dev") as file:
                for line in file:
                    device, _, counters = line.partition(":")
                    if device.strip().startswith("link"):
                        result[int(device.strip()[4:])] = int(counters.split()[9])
        return result


def rates(sockets, flows):
    """Runs all flows at the same time, in as many processes as there are processors, and returns the rate at which
    each receives, in bit/s."""
    connections = [sockets.connection(flow) for flow in flows]
    begin = time.monotonic() + 0.05
    workers = min(len(os.sched_getaffinity(0)), len(flows))
    answers = [_in_child(_drive, connections[worker::workers], begin) for worker in range(workers)]
    for pair in connections:
        for each in pair:
            each.close()
    result = [0.0] * len(flows)
    for worker, answer in enumerate(answers):
        result[worker::workers] = answer()
    return result


def _in_child(function, *arguments):
    """Starts function in a child; the result is a call that waits for its value."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            with open(writing, "w") as file:
                json.dump(function(*arguments), file)
        finally:
            os._exit(0)
    os.close(writing)

    def answer():
        with open(reading) as file:
            text = file.read()
        os.waitpid(child, 0)
        if not text:
            raise Failure("a process that sends test traffic has failed")
        return json.loads(text)
    return answer


def _drive(connections, begin):
    """Sends and receives as fast as it goes. Rates are taken between the first and last arrival after the warm-up."""
    selector = selectors.DefaultSelector()
    arrivals = [None] * len(connections)  # of each flow: first time, last time, bytes after the first
    for index, (sender, receiver) in enumerate(connections):
        for each, event in ((sender, selectors.EVENT_WRITE), (receiver, selectors.EVENT_READ)):
            each.setblocking(False)
            selector.register(each, event, index)
    time.sleep(max(0, begin - time.monotonic()))
    now = begin
    while now < begin + WARM_UP + DURATION:
        for key, event in selector.select(0.1):
            if event == selectors.EVENT_WRITE:
                key.fileobj.send(CHUNK)
                continue
            size = len(key.fileobj.recv(1 << 20))
            now = time.monotonic()
            if now < begin + WARM_UP:
                continue
            known = arrivals[key.data]
            arrivals[key.data] = (known[0], now, known[2] + size) if known else (now, now, 0)
        now = time.monotonic()
    return [8 * known[2] / (known[1] - known[0]) if known and known[1] > known[0] else 0.0 for known in arrivals]
