# SPDX-License-Identifier: BSD-3-Clause
"""Measures whether a cluster is what it says: rates of all links, fair sharing, routes."""
import os
import random
import sys

from . import addresses, traffic

TOLERANCE = 0.05      # a link may be that much slower or faster than it should be
FAIRNESS = 0.8        # the slower of two flows gets at least this part of what the faster one gets
AT_ONCE = 400e6       # bit/s in all while links are measured one by one
SHARED_LINKS = 16     # links on which two flows are tried
ALL_PAIRS = 32        # hosts up to which the route of every pair is followed; beyond, of a sample
PROBES = 2            # packets along each route


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
        cables = self.network.cables()
        group = max(1, int(AT_ONCE / 2 / self.cluster.rate))
        alone = {}
        for first in range(0, len(cables), group):
            alone.update(self.cable_rates(list(enumerate(cables))[first:first + group]))
            self.progress("cables", min(first + group, len(cables)), len(cables))
        together = self.cable_rates(list(enumerate(cables)))
        print("\nMbit/s of payload, in both directions at the same time:\n"
              "                                                 alone               all cables busy\n"
              "cable                           should be    there     back        there     back")
        for there, back in cables:
            rate = [f"{value / 1e6:9.2f}" for value in (self.network.links[there].rate, alone[there], alone[back],
                                                       together[there], together[back])]
            print(f"{self.network.link_name(there):30}  {rate[0]}{rate[1]}{rate[2]}    {rate[3]}{rate[4]}")
        self.judge_rates(alone, together)

    def cable_rates(self, cables):
        flows, links = [], []
        for cable, pair in cables:
            for side, index in enumerate(pair):
                link = self.network.links[index]
                flows.append(traffic.Flow(link.start, addresses.cable_end(cable, side),
                                          link.end, addresses.cable_end(cable, 1 - side)))
                links.append(index)
        return dict(zip(links, traffic.rates(self.sockets, flows)))

    def judge_rates(self, alone, together):
        links = self.network.links
        off = [link for link in alone if abs(alone[link] / links[link].rate - 1) > TOLERANCE]
        worst = {link: alone[link] / links[link].rate for link in off}
        if off:
            link = max(off, key=lambda each: abs(worst[each] - 1))
            self.problems.append(f"{len(off)} of {len(links)} links are off by more than {TOLERANCE:.0%}; the worst, "
                                 f"{self.network.link_name(link)}, has {worst[link]:.0%} of its rate")
        share = {link: together[link] / links[link].rate for link in together}
        slow = [link for link in share if share[link] < 1 - TOLERANCE]
        if slow:
            slowest = min(slow, key=share.get)
            self.problems.append(
                f"with all cables busy, {len(slow)} of {len(links)} links are too slow, down to {share[slowest]:.0%} of "
                f"the rate ({self.network.link_name(slowest)}): this machine is busy, or too slow for this --rate")

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
            if abs(sum(both) / 2 / half - 1) > TOLERANCE:
                self.problems.append(f"two flows on {name} get {sum(both) / 2 / half:.0%} of its rate together: {names}")

    def rivals(self, link):
        """Two routes that are limited by a link and share few others, from different hosts if there are such."""
        def limited(route):
            return link in route and all(self.network.links[link].rate <= self.network.links[each].rate for each in route)
        routes = {pair: set(route) for pair, route in self.network.routes.items() if limited(route)}
        best = None
        for pair in sorted(routes)[:8]:
            for other in sorted(routes)[:8] + sorted(routes)[-8:]:
                if other > pair:
                    cost = (pair[0] == other[0], len(routes[pair] & routes[other]), pair, other)
                    best = min(best, cost) if best else cost
        return best and best[2:]
