# SPDX-License-Identifier: BSD-3-Clause
"""Forwarding tables that send every packet along the route the network's description gives it.

A router forwards by destination. Where routes to one destination also depend on the source, as half-way round a torus
with Tie=parity, sources fall into classes: in each, destinations suffice. Each class has addresses in a subnet of its
own, so that one rule for a class selects its table."""


def next_links(network):
    """hops[vertex][destination][source] = the link by which the vertex forwards."""
    hops = [{} for _ in network.names]
    for (source, destination), route in network.routes.items():
        for link in route:
            hops[network.links[link].start].setdefault(destination, {})[source] = link
    return hops


def source_classes(network):
    """The class of every host, 0 the first. Sources that some vertex forwards to one destination by different links
    are in different classes. The graph of these conflicts is coloured by DSATUR, which needs no more classes than
    necessary where two suffice."""
    conflicts = [set() for _ in range(network.hosts)]
    for by_destination in next_links(network):
        for by_source in by_destination.values():
            if len(set(by_source.values())) == 1:
                continue
            for source, link in by_source.items():
                conflicts[source].update(other for other, its in by_source.items() if its != link)
    classes = [None] * network.hosts
    forbidden = [set() for _ in range(network.hosts)]
    left = set(range(network.hosts))
    while left:
        source = max(left, key=lambda host: (len(forbidden[host]), len(conflicts[host]), -host))
        left.remove(source)
        classes[source] = next(c for c in range(network.hosts) if c not in forbidden[source])
        for other in conflicts[source]:
            forbidden[other].add(classes[source])
    return classes


def tables(network, classes):
    """For every vertex its main table, destination -> link, and for every class only what is different for it:
    [(main, {class: {destination: link}})]."""
    result = []
    for vertex, by_destination in enumerate(next_links(network)):
        own = classes[vertex] if vertex < network.hosts else 0
        main, special = {}, {}
        for destination, by_source in sorted(by_destination.items()):
            of_class = {classes[source]: link for source, link in by_source.items()}
            first = own if own in of_class else min(of_class)
            main[destination] = of_class[first]
            for each, link in of_class.items():
                if link != main[destination]:
                    special.setdefault(each, {})[destination] = link
        result.append((main, special))
    return result
