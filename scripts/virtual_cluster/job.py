# SPDX-License-Identifier: BSD-3-Clause
"""Running mpirun in a cluster."""
import os
import sys
from pathlib import Path

from . import Failure, hostlist, inside
from .dropped_packets import DroppedPackets

# What makes Open MPI use the cluster.
NEEDED = {
    "plm": "rsh",
    "plm_rsh_agent": str(Path(__file__).with_name("remote_shell")),
    "plm_rsh_no_tree_spawn": "1",
    "oob_tcp_if_include": "management",
    "btl_tcp_if_include": "data",
    "reachable": "weighted",
}
# What suits it, unless the user's environment says otherwise.
SUITABLE = {
    "pml": "ob1",
    "btl": "self,vader,tcp",
    "mpi_yield_when_idle": "1",
    # A rank that waits gives way only to ranks of its own session, as Linux schedules sessions as groups (autogroup). So
    # the daemons of all hosts must not begin sessions of their own.
    "orte_leave_session_attached": "1",
    "hwloc_base_binding_policy": "none",
}
# Over TCP, the answers of the rendezvous protocol wait behind bulk data of the same connection, which makes an exchange
# half duplex. So all messages are sent at once, up to 16 MiB.
EAGER_LIMIT = 16 << 20  # bytes
EAGER = {
    "btl_tcp_flags": "send,inplace",
    "btl_tcp_eager_limit": str(EAGER_LIMIT),
    "btl_tcp_rndv_eager_limit": str(EAGER_LIMIT),
    "btl_tcp_max_send_size": str(EAGER_LIMIT),
}
LAYERS = ("ob1", "ucx")
# Instead of ob1 over TCP, UCX over TCP. It finds devices in /sys, which remote_shell makes show those of the host.
OVER_UCX = {
    "OMPI_MCA_pml": "ucx",
    "OMPI_MCA_pml_ucx_tls": "any",
    "OMPI_MCA_pml_ucx_devices": "any",
    "UCX_TLS": "tcp,self,sm",
    "UCX_NET_DEVICES": "data",
    "UCX_LOG_LEVEL": "error",
    "CLUSTER_OWN_SYS": "1",
}
EAGER_OVER_UCX = {"UCX_RNDV_THRESH": "16m"}


def run(cluster, arguments, hosts=None, ranks_per_host=1, ranks=None, rendezvous=False, time_limit=None, pml="ob1"):
    """Runs mpirun with these arguments and returns its exit code. Says so if packets were lost meanwhile."""
    chosen = cluster.hosts if hosts is None else hostlist.expand(hosts)
    for host in chosen:
        if host not in cluster.hosts:
            raise Failure(f"the cluster has no host '{host}'; it has {', '.join(cluster.hosts)}")
    if len(set(chosen)) != len(chosen):
        raise Failure(f"'{hosts}' names a host twice")
    if ranks is not None and ranks > len(chosen) * ranks_per_host:
        raise Failure(f"{ranks} ranks do not fit: {len(chosen)} hosts with --ranks-per-host {ranks_per_host}")
    dropped = DroppedPackets()
    inside.enter(cluster, cluster.head)
    folder = cluster.inside / "job"
    slots = "".join(f"{host} slots={ranks_per_host}\n" for host in chosen)
    command = ["mpirun", "-np", str(ranks or len(chosen) * ranks_per_host), *arguments]
    code = inside.run_alone(command, environment(cluster, folder, rendezvous, pml), folder, {"hosts": slots}, time_limit)
    if note := dropped.note():
        print(note, file=sys.stderr, flush=True)
    return code


def environment(cluster, folder, rendezvous, pml):
    result = dict(os.environ)
    if pml == "ucx":
        result.update(OVER_UCX)
        for name, value in ({} if rendezvous else EAGER_OVER_UCX).items():
            result.setdefault(name, value)
    suitable = SUITABLE if rendezvous else {**SUITABLE, **EAGER}
    for name, value in suitable.items():
        result.setdefault(f"OMPI_MCA_{name}", value)
    needed = {**NEEDED, "orte_default_hostfile": str(folder / "hosts"), "orte_tmpdir_base": str(folder)}
    result.update((f"OMPI_MCA_{name}", value) for name, value in needed.items())
    result["CLUSTER_INSIDE"] = str(cluster.inside)
    result["CLUSTER_TOPOLOGY_FILE"] = cluster.topology_file
    if os.geteuid() == 0:  # also of a user who is root only in here
        result["OMPI_ALLOW_RUN_AS_ROOT"] = result["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    return result
