# SPDX-License-Identifier: BSD-3-Clause
"""Makes a cluster's namespaces, links and routes. Runs in the keeper, which is root in its namespaces.

Every host, switch and router has a network namespace. A cable is a pair of virtual Ethernet devices with a token-bucket
limiter at each end: link3 is the sending side of link 3. The interface `data` has the address that programs use, and
`management` leads to a bridge for the traffic of Open MPI's daemons."""
import os
import re
import socket
import subprocess

from . import Failure, addresses, namespaces, routing

HEADER = 14     # bytes of an Ethernet header, which the limiter counts
OVERHEAD = 52   # bytes of the headers of IP and TCP in a full frame
BURST = 1.3     # frames that a limiter lets pass at once after a rest; with fewer, a late timer would cost bandwidth
WINDOW = 65536  # bytes one connection may have under way; queues hold them all, so nothing is ever dropped
QUEUE = "64mb"  # more than all windows together

MODULES = "\nIf this kernel has it as a module, root can load that: 'modprobe -a veth bridge sch_tbf sch_htb cls_u32'"

# What TCP does by itself on the Internet and must not do here: see doc/guide/virtual-cluster.md.
SETTINGS = {
    "ipv4/ip_forward": 1,
    "ipv4/conf/all/rp_filter": 0,
    "ipv4/conf/default/rp_filter": 0,
    "ipv4/conf/all/send_redirects": 0,
    "ipv4/conf/default/send_redirects": 0,
    "ipv6/conf/all/disable_ipv6": 1,
    "ipv6/conf/default/disable_ipv6": 1,
    "ipv4/tcp_congestion_control": "reno",
    "ipv4/tcp_slow_start_after_idle": 0,
    "ipv4/tcp_no_metrics_save": 1,
    "ipv4/tcp_ecn": 0,
    "ipv4/tcp_notsent_lowat": 16384,
    "ipv4/tcp_pacing_ss_ratio": 1000,
    "ipv4/tcp_pacing_ca_ratio": 1000,
    "ipv4/tcp_rmem": f"4096 {4 * WINDOW} {4 * WINDOW}",
    "ipv4/tcp_wmem": f"4096 {4 * WINDOW} {4 * WINDOW}",
}


def build(cluster):
    hide_the_machine(cluster)
    for name in cluster.network.names + [cluster.head]:
        namespaces.unshare(namespaces.NETWORK | namespaces.NAMES)
        socket.sethostname(name)
        namespaces.keep("net", str(cluster.inside / "network" / name))
        namespaces.keep("uts", str(cluster.inside / "names" / name))
        for setting, value in SETTINGS.items():
            write_setting(setting, value)
    os.chdir(cluster.inside / "network")
    batch("ip", cables(cluster) + management(cluster))
    limits = limiters(cluster)
    for vertex, commands in enumerate(interfaces(cluster)):
        namespaces.enter(cluster.network.names[vertex], namespaces.NETWORK)
        batch("ip", commands)
        batch("tc", limits[vertex])


def hide_the_machine(cluster):
    """Private temporary files and shared memory, and the cluster's host names; outside nobody sees a change."""
    namespaces.mount("proc", "/proc", "proc")
    namespaces.mount("tmpfs", "/dev/shm", "tmpfs")
    namespaces.mount("tmpfs", str(cluster.inside), "tmpfs")
    for folder in ("network", "names", "job"):
        (cluster.inside / folder).mkdir()
    lines = ["127.0.0.1 localhost", f"{addresses.management(-1)} {cluster.head}"]
    lines += [f"{addresses.management(host)} {name}" for host, name in enumerate(cluster.hosts)]
    (cluster.directory / "hosts").write_text("\n".join(lines) + "\n")
    (cluster.directory / "nsswitch.conf").write_text("passwd: files\ngroup: files\nhosts: files\n")
    for file in ("hosts", "nsswitch.conf"):
        if os.path.exists(f"/etc/{file}"):
            namespaces.mount(str(cluster.directory / file), f"/etc/{file}", flags=namespaces.MS_BIND)


def write_setting(setting, value):
    path = f"/proc/sys/net/{setting}"
    if "ipv6" in setting and not os.path.exists(path):
        return
    with open(path, "w") as file:
        file.write(str(value))


def batch(command, lines):
    if not lines:
        return
    try:
        answer = subprocess.run([command, "-batch", "-"], input="\n".join(lines) + "\n", capture_output=True,
                                text=True, timeout=30 + len(lines) / 100)
    except FileNotFoundError:
        raise Failure(f"the command '{command}' is missing: install iproute2") from None
    except subprocess.TimeoutExpired:
        raise Failure(f"'{command}' did not end in time") from None
    if answer.returncode != 0:
        advice = MODULES if re.search("[Uu]nknown|not supported", answer.stderr) else ""
        raise Failure(f"{command} failed: {answer.stderr.strip()}{advice}")


def cables(cluster):
    names, links = cluster.network.names, cluster.network.links
    # One frame at a time: the kernel would otherwise pass 64 KiB through a limiter at once.
    options = f"mtu {cluster.mtu} gso_max_segs 1"

    def device(link):
        return f"name link{link} {options} address {addresses.hardware(link)} netns ./{names[links[link].start]}"
    return [f"link add {device(there)} type veth peer {device(back)}" for there, back in cluster.network.cables()]


def management(cluster):
    """Run in the head's namespace, the last one made."""
    commands = ["link add management type bridge", "link set lo up", "link set management up",
                f"addr add {addresses.management(-1)}/{addresses.MANAGEMENT_BITS} dev management"]
    for host, name in enumerate(cluster.hosts):
        commands += [f"link add port{host} type veth peer name management netns ./{name}",
                     f"link set port{host} master management up"]
    return commands


def limiters(cluster, part=1):
    """For every vertex the commands, in its namespace, that limit what it sends, to a part of the rate of its links, and
    let its inputs take turns."""
    frame = cluster.mtu + HEADER
    commands = [[] for _ in cluster.network.names]
    inputs = inputs_of_links(cluster.network)
    for index, link in enumerate(cluster.network.links):
        wire_rate = part * link.rate * frame / (cluster.mtu - OVERHEAD)
        commands[link.start].append(f"qdisc add dev link{index} root handle 1: tbf rate {wire_rate:.0f}bit "
                                    f"burst {int(BURST * frame)} limit {QUEUE}")
        if len(inputs[index]) > 1:
            commands[link.start] += turns(index, inputs[index], frame)
    return commands


def head_start(rate, mtu):
    """Seconds of sending that a link of `rate` bit/s may have saved up while it rested, which no cable can."""
    return burst(mtu) * 8 / rate


def burst(mtu):
    """Bytes of payload that a link passes at once after a rest."""
    return BURST * (mtu - OVERHEAD)


def inputs_of_links(network):
    """For every link the devices, by number, at which its packets arrive where it starts; None: they start there."""
    arrives_at = {}
    for there, back in network.cables():
        arrives_at[there], arrives_at[back] = back, there
    inputs = [set() for _ in network.links]
    for route in network.routes.values():
        inputs[route[0]].add(None)
        for before, link in zip(route, route[1:]):
            inputs[link].add(arrives_at[before])
    return inputs


def turns(link, inputs, frame):
    """Inputs take turns frame by frame, as they do in a switch. In one queue, a flow that comes from another link would
    get three times as much as one that starts here, since TCP puts only a few frames of its own into a queue. The rates
    of the classes are so high that only their order matters; what no filter matches starts here."""
    device = f"dev link{link}"
    commands = [f"qdisc add {device} parent 1:1 handle 2: htb default 1"]
    for number, arrival in [(1, None), *enumerate(sorted(inputs - {None}), 2)]:
        commands += [f"class add {device} parent 2: classid 2:{number:x} htb rate 100gbit quantum {frame}",
                     f"qdisc add {device} parent 2:{number:x} bfifo limit {QUEUE}"]
        if arrival is not None:
            commands.append(f"filter add {device} parent 2: protocol ip prio 1 u32 match u32 0 0 indev link{arrival} "
                            f"flowid 2:{number:x}")
    return commands


def interfaces(cluster):
    """For every vertex the commands, in its namespace, for its interfaces and routes."""
    network = cluster.network
    host_address = addresses.hosts(cluster.classes)
    commands = [["link set lo up"] for _ in network.names]
    for host, address in enumerate(host_address):
        commands[host] += [
            # With a prefix that holds all hosts, or UCX would not try to reach them; routes are those below.
            "link add data type bridge", f"addr add {address}/8 dev data noprefixroute", "link set data up",
            f"addr add {addresses.management(host)}/{addresses.MANAGEMENT_BITS} dev management",
            "link set management up"]
    gateway = {}
    for cable, pair in enumerate(network.cables()):
        for side, index in enumerate(pair):
            near, far = addresses.cable_end(cable, side), addresses.cable_end(cable, 1 - side)
            gateway[index] = f"via {far} dev link{index} window {WINDOW} initcwnd 64"
            commands[network.links[index].start] += [
                f"link set link{index} up alias {network.link_name(index)}", f"addr add {near}/31 dev link{index}",
                f"neigh add {far} lladdr {addresses.hardware(pair[1 - side])} dev link{index} nud permanent"]
    for vertex, (main, special) in enumerate(routing.tables(network, cluster.classes)):
        source = f"src {host_address[vertex]}" if vertex < network.hosts else ""
        commands[vertex] += [f"route add {host_address[host]}/32 {gateway[link]} {source}"
                             for host, link in main.items()]
        for source_class, table in special.items():
            number = 100 + source_class
            commands[vertex].append(f"rule add from {addresses.subnet(source_class)} lookup {number}")
            commands[vertex] += [f"route add {host_address[host]}/32 {gateway[link]} {source} table {number}"
                                 for host, link in table.items()]
    return commands
