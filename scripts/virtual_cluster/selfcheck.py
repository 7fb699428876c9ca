# SPDX-License-Identifier: BSD-3-Clause
"""Measures whether a cluster is what it says: rates of all links, fair sharing, routes."""
import os
import random
import sys
import time

from . import addresses, traffic

TOLERANCE = 0.05      # a link may be this much slower or faster than it should be
FAIRNESS = 0.8        # the slower of two flows gets at least this share of what the faster one gets
AT_ONCE = 400e6       # bit/s in all while links are measured one by one
SHARED_LINKS = 16     # links on which two flows are tried
ALL_PAIRS = 32        # hosts up to which the route of every pair is followed; beyond, of a sample
PROBES = 2            # packets along each route


def busy(function):
    """What part of all processors was in use while a function ran, by anybody; and its result."""
    def times():
        with open("/proc/stat") as file:
            user, nice, system, idle, waiting, *others = (int(word) for word in file.readline().split()[1:9])
        return sum(others, user + nice + system), idle + waiting
    used, unused = times()
    result = function()
    used, unused = times()[0] - used, times()[1] - unused
    return used / max(1, used + unused), result


class Check:
    def __init__(self, cluster):
        self.cluster = cluster
        self.network = cluster.network
        self.sockets = traffic.Sockets(cluster)
        self.addresses = addresses.hosts(cluster.classes)
        self.problems = []

    def run(self, with_rates, with_routes):
        """Prints what it finds; True if all is as it should be."""
        if sum(name.isdigit() for name in os.listdir("/proc")) > 2:
            self.problems.append("other programs are running in the cluster and may disturb what is measured")
        if with_routes:
            self.follow_routes()
        if with_rates:
            self.measure_links()
            self.share_links()
        for problem in self.problems:
            print(f"OFF: {problem}")
        if not self.problems:
            print("all is as it should be")
        return not self.problems

    def progress(self, what, done, of):
        if sys.stderr.isatty():
            end = "\r\033[K" if done == of else ""
            print(f"\r{what}: {done} of {of}{end}", end="", file=sys.stderr, flush=True)

    # ---- routes ------------------------------------------------------------------------------------------------------

    def follow_routes(self):
        pairs = sorted(self.network.routes)
        if self.network.hosts > ALL_PAIRS:
            pairs = sorted(random.Random(1).sample(pairs, min(len(pairs), ALL_PAIRS * (ALL_PAIRS - 1))))
        sockets = [self.sockets.datagram(host, self.addresses[host]) for host in range(self.network.hosts)]
        wrong = 0
        before = self.sockets.packets_sent()
        for done, (source, target) in enumerate(pairs, 1):
            self.progress("routes", done, len(pairs))
            arrived = self.probe(sockets[source], sockets[target])
            after = self.sockets.packets_sent()
            taken = {link: after[link] - before[link] for link in after if after[link] != before[link]}
            before = after
            route = self.network.routes[source, target]
            if not arrived or taken != {link: PROBES for link in route}:
                wrong += 1
                self.note_wrong_route(wrong, source, target, taken)
        print(f"routes    {len(pairs)} pairs of hosts: {len(pairs) - wrong} use exactly the links of their routes")

    def probe(self, sender, receiver):
        try:
            for _ in range(PROBES):
                sender.sendto(b"probe", receiver.getsockname())
                receiver.recv(64)
        except OSError:
            return False
        return True

    def note_wrong_route(self, count, source, target, taken):
        names = self.network.names
        if count == 1:
            self.problems.append("packets do not take the routes of the topology file:")
        if count <= 5:
            wanted = " ".join(self.network.link_name(link) for link in self.network.routes[source, target])
            real = " ".join(f"{self.network.link_name(link)}:{packets}" for link, packets in sorted(taken.items()))
            self.problems.append(f"  {names[source]} to {names[target]}: should use {wanted}, sent packets by "
                                 f"{real or 'none'}")

    # ---- rates -------------------------------------------------------------------------------------------------------

    def measure_links(self):
        cables = list(enumerate(self.network.cables()))
        alone = self.in_groups(cables, "cables")
        again = [each for each in cables if any(self.is_off(link, alone[link]) for link in each[1])]
        alone.update(self.in_groups(again, "cables measured again"))  # something else may have kept the machine busy
        others = busy(lambda: time.sleep(0.5))[0]
        use, together = busy(lambda: self.cable_rates(cables))
        print("\nMbit/s of payload, in both directions at the same time:\n"
              "                                                 alone               all cables busy\n"
              "cable                           should be    there     back        there     back")
        for _, (there, back) in cables:
            rates = (self.network.links[there].rate, alone[there], alone[back], together[there], together[back])
            columns = [f"{rate / 1e6:9.2f}" for rate in rates]
            print(f"{self.network.link_name(there):30}  {''.join(columns[:3])}    {''.join(columns[3:])}")
        print(f"processors {use:.0%} busy with all cables busy, {others:.0%} just before")
        self.judge_rates(alone, together)

    def in_groups(self, cables, what):
        group = max(1, int(AT_ONCE / 2 / self.cluster.rate))
        measured = {}
        for first in range(0, len(cables), group):
            measured.update(self.cable_rates(cables[first:first + group]))
            self.progress(what, min(first + group, len(cables)), len(cables))
        return measured

    def cable_rates(self, cables):
        """Of both links of every cable, all at the same time. Cables are (number, (link, link))."""
        flows, links = [], []
        for cable, pair in cables:
            for side, index in enumerate(pair):
                link = self.network.links[index]
                flows.append(traffic.Flow(link.start, addresses.cable_end(cable, side),
                                          link.end, addresses.cable_end(cable, 1 - side)))
                links.append(index)
        return dict(zip(links, traffic.rates(self.sockets, flows)))

    def is_off(self, link, rate):
        return abs(rate / self.network.links[link].rate - 1) > TOLERANCE

    def judge_rates(self, alone, together):
        links = self.network.links
        off = {link: rate / links[link].rate for link, rate in alone.items() if self.is_off(link, rate)}
        if off:
            worst = max(off, key=lambda link: abs(off[link] - 1))
            self.problems.append(f"{len(off)} of {len(links)} links are off by more than {TOLERANCE:.0%}; the worst, "
                                 f"{self.network.link_name(worst)}, has {off[worst]:.0%} of its rate")
        slow = {link: rate / links[link].rate for link, rate in together.items() if self.is_off(link, rate)}
        if slow:
            worst = min(slow, key=slow.get)
            self.problems.append(
                f"with all cables busy, {len(slow)} of {len(links)} links are too slow, down to {slow[worst]:.0%} of "
                f"the rate ({self.network.link_name(worst)}): this machine is busy, or too slow for this --rate")

    # ---- sharing -----------------------------------------------------------------------------------------------------

    def share_links(self):
        wanted = [(link, pair) for link in range(len(self.network.links)) if (pair := self.rivals(link))]
        wanted = wanted[::max(1, -(-len(wanted) // SHARED_LINKS))]
        if not wanted:
            print("\nno link of this network is shared by two routes")
            return
        print("\nTwo flows on one link, Mbit/s of payload:\n"
              "link                           should be    first   second  flows")
        for done, (link, pair) in enumerate(wanted, 1):
            flows = [traffic.Flow(a, self.addresses[a], b, self.addresses[b]) for a, b in pair]
            both = traffic.rates(self.sockets, flows)
            self.progress("sharing", done, len(wanted))
            half = self.network.links[link].rate / 2
            names = ", ".join(f"{self.network.names[a]} to {self.network.names[b]}" for a, b in pair)
            name = self.network.link_name(link)
            print(f"{name:30} {half / 1e6:9.2f} {both[0] / 1e6:8.2f} {both[1] / 1e6:8.2f}  {names}")
            if min(both) < FAIRNESS * max(both):
                self.problems.append(f"two flows share {name} unfairly: {names}")
            if self.is_off(link, sum(both)):
                of_rate = sum(both) / self.network.links[link].rate
                self.problems.append(f"two flows on {name} have {of_rate:.0%} of its rate together: {names}")

    def rivals(self, link):
        """Two routes that are limited by a link and share few others, from different hosts if there are such."""
        rate = [each.rate for each in self.network.links]

        def limited(route):
            return link in route and rate[link] <= min(rate[each] for each in route)
        routes = {pair: set(route) for pair, route in self.network.routes.items() if limited(route)}
        best = None
        for pair in sorted(routes)[:8]:
            for other in sorted(routes)[:8] + sorted(routes)[-8:]:
                if other > pair:
                    cost = (pair[0] == other[0], len(routes[pair] & routes[other]), pair, other)
                    best = min(best, cost) if best else cost
        return best and best[2:]
