# SPDX-License-Identifier: BSD-3-Clause
"""Running commands inside a cluster, as children that cannot outlive this process."""
import os
import select
import signal
import sys
import time

from . import Failure, namespaces

FORWARDED = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
SI_KERNEL = 0x80  # a signal typed at a terminal, which all processes there get
PATIENCE = 10     # seconds from a signal, or the time limit, until what is left is killed
TIMED_OUT = 124   # the exit code of timeout(1)


def enter(cluster, vertex):
    """Moves this process to a vertex, or the head, of a cluster; its children will be processes of the cluster."""
    keeper = cluster.keeper()
    here = os.getcwd()
    own_user = os.readlink(f"/proc/{keeper}/ns/user") == os.readlink("/proc/self/ns/user")
    try:
        mounts = os.open(f"/proc/{keeper}/ns/mnt", os.O_RDONLY)
        others = [(os.open(f"/proc/{keeper}/ns/{name}", os.O_RDONLY), kind)
                  for name, kind in (("ipc", namespaces.IPC), ("pid", namespaces.PROCESSES))]
        if not own_user:
            namespaces.enter(f"/proc/{keeper}/ns/user", namespaces.USER)
        for descriptor, kind in others + [(mounts, namespaces.MOUNT)]:
            namespaces.enter_open(descriptor, kind)
            os.close(descriptor)
        namespaces.enter(str(cluster.inside / "network" / vertex), namespaces.NETWORK)
        namespaces.enter(str(cluster.inside / "names" / vertex), namespaces.NAMES)
    except OSError as error:
        raise Failure(f"cannot enter cluster '{cluster.name}': {error}") from None
    try:
        os.chdir(here)
    except OSError:
        os.chdir("/")


def run(command, environment):
    """Runs a command, from within a cluster. Returns its exit code."""
    return supervise(lambda: _become(command, environment))


def call(function):
    """Calls a function in a process of the cluster. 0 if it returns true, else 1."""
    def reporting():
        try:
            code = 0 if function() else 1
        except Failure as failure:
            print(f"cluster: {failure}", file=sys.stderr)
            code = 1
        sys.stdout.flush()
        os._exit(code)
    return supervise(reporting)


def run_alone(command, environment, folder, files, time_limit=None):
    """Likewise, with a process namespace and temporary files of its own: nothing it starts or writes there remains.
    `folder` is empty but for these files, name -> text. The command ends at the time limit, or when a signal has come,
    at the latest after PATIENCE."""
    def with_own_processes():
        namespaces.unshare(namespaces.PROCESSES | namespaces.MOUNT)
        os._exit(supervise(with_own_files))

    def with_own_files():
        namespaces.mount("proc", "/proc", "proc")
        namespaces.mount("tmpfs", "/dev/shm", "tmpfs")
        namespaces.mount("tmpfs", str(folder), "tmpfs")
        for name, text in files.items():
            (folder / name).write_text(text)
        _become(command, environment)
    return supervise(with_own_processes, PATIENCE, time_limit)


def _become(command, environment):
    try:
        os.execvpe(command[0], command, environment)
    except OSError as error:
        print(f"cluster: cannot run '{command[0]}': {error.strerror}", file=sys.stderr, flush=True)
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


def supervise(action, patience=None, time_limit=None):
    """Runs action in a child, which ends if this process does, and returns the exit code."""
    awaited = FORWARDED | {signal.SIGCHLD}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    parent_ended, parent = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            namespaces.end_with_parent()
            os.close(parent)
            if select.select([parent_ended], [], [], 0)[0]:  # before we asked to end with it
                os._exit(1)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            action()
        except OSError as error:
            print(f"cluster: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(1)
    try:
        return _wait(child, awaited, patience, time_limit)
    finally:
        os.close(parent_ended)
        os.close(parent)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait(child, awaited, patience, time_limit):
    """Passes on signals until the child ends. The first deadline ends it kindly, the second for certain."""
    deadline = time_limit and time.monotonic() + time_limit
    timed_out = told_to_end = False
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return TIMED_OUT if timed_out else code if code >= 0 else 128 - code
        if deadline is None:
            come = signal.sigwaitinfo(awaited)
        else:
            come = signal.sigtimedwait(awaited, max(0, deadline - time.monotonic()))
        if come is None:
            timed_out = timed_out or not told_to_end
            os.kill(child, signal.SIGKILL if told_to_end else signal.SIGTERM)
        elif come.si_signo in FORWARDED:
            if come.si_code != SI_KERNEL:
                os.kill(child, come.si_signo)
        else:
            continue
        if patience is not None and not told_to_end:
            deadline = time.monotonic() + patience
        elif come is None:
            deadline = None
        told_to_end = True
