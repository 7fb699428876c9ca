# SPDX-License-Identifier: BSD-3-Clause
"""The process that keeps a cluster's namespaces: the first of its process namespace, so that the kernel ends all others
when it ends. It makes the cluster, reports to the process that started it, and waits.

    python3 -m virtual_cluster.keeper DIRECTORY REPORT CONFIRMATION      (descriptors of pipes)"""
import os
import signal
import sys
from pathlib import Path

from . import Failure, namespaces, state, wiring


def start(directory):
    """Starts the keeper in namespaces of its own. Returns the pipe it reports on and the one on which it waits for a
    confirmation: if this process ends before it has confirmed, so does the keeper."""
    report, report_end = os.pipe()
    confirmation_end, confirmation = os.pipe()
    starter = os.fork()
    if starter == 0:
        try:
            os.close(report)
            os.close(confirmation)
            os.setsid()
            namespaces.make(namespaces.MOUNT | namespaces.NAMES | namespaces.IPC | namespaces.PROCESSES |
                            namespaces.NETWORK)
            _fork_keeper(directory, report_end, confirmation_end)
        except OSError as error:
            os.write(report_end, f"namespaces: {namespaces.why_not(error)}\n".encode())
        finally:
            os._exit(0)
    os.close(report_end)
    os.close(confirmation_end)
    os.waitpid(starter, 0)
    return report, confirmation


def search_path():
    """PATH with the folders of ip and tc, which users do not have in theirs on some systems."""
    return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def _fork_keeper(directory, report, confirmation):
    noted, noting = os.pipe()
    keeper = os.fork()
    if keeper != 0:
        state.note_process(directory / "keeper", keeper)
        os.close(noting)
        return
    # Not before it is noted: the keeper mounts another /proc here, in which its number is not the same.
    os.close(noting)
    os.read(noted, 1)
    os.chdir("/")
    nothing = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor in (report, confirmation):
            os.set_inheritable(descriptor, True)
        elif descriptor > 2:  # perhaps a pipe whose end somebody waits for
            os.closerange(descriptor, descriptor + 1)
    environment = {**os.environ, "PATH": search_path(),
                   "PYTHONPATH": os.path.dirname(os.path.dirname(os.path.abspath(__file__)))}
    os.execve(sys.executable, [sys.executable, "-B", "-m", "virtual_cluster.keeper", str(directory), str(report),
                               str(confirmation)], environment)


def main(directory, report, confirmation):
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    try:
        namespaces.follow_mounts_outside()
        cluster = state.load_from(Path(directory))
        wiring.build(cluster)
        os.write(report, b"built\n")
    except Failure as failure:
        os.write(report, f"{failure}\n".encode())
        return
    except Exception as error:  # whatever it is, the process that started this must know
        os.write(report, f"{type(error).__name__}: {error}\n".encode())
        return
    if os.read(confirmation, 1) != b"k":
        return
    (cluster.directory / "ready").touch()
    os.write(report, b"ready\n")
    os.close(report)
    while True:
        signal.sigwait({signal.SIGCHLD})
        _reap()


def _reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
