# SPDX-License-Identifier: BSD-3-Clause
"""A place of its own for a virtual cluster: when the process that made it ends, whatever ended it, the kernel ends all
that runs there, and its files disappear."""
import os
import signal
import sys
import traceback

from virtual_cluster import Failure, inside, namespaces

UNAVAILABLE = 69  # the exit code for what this machine does not permit
INTERRUPTED = 130
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Unavailable(Exception):
    """Why there can be no virtual network, and what to do."""


def run(action, folder):
    """Calls action() in a child, the first of its process namespace, whose XDG_RUNTIME_DIR is an empty file system in
    `folder`. Returns the exit code that action returns, or UNAVAILABLE, after it has said why."""
    def with_namespaces():
        try:
            namespaces.make(namespaces.MOUNT | namespaces.PROCESSES)
        except OSError as error:
            _unavailable(namespaces.why_not(error))
        os._exit(inside.supervise(lambda: _first_process(action, folder), patience=5))
    sys.stdout.flush()
    sys.stderr.flush()
    return inside.supervise(with_namespaces, patience=10)


def _first_process(action, folder):
    interrupt_on_signals()
    code = INTERRUPTED
    try:
        _hide(folder)
        os.environ["XDG_RUNTIME_DIR"] = str(folder)
        code = action()
    except Unavailable as reason:
        _unavailable(str(reason))
    except (Failure, SystemExit) as failure:
        print(failure, file=sys.stderr)
        code = 1
    except KeyboardInterrupt:
        pass
    except Exception:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _hide(folder):
    try:
        namespaces.follow_mounts_outside()
        namespaces.mount("proc", "/proc", "proc")
        namespaces.mount("tmpfs", str(folder), "tmpfs")
    except OSError as error:
        raise Unavailable(namespaces.why_not(error)) from None


def interrupt_on_signals():
    """Each of these raises KeyboardInterrupt, once: a second must not end what the first began."""
    def interrupt(*_):
        for number in STOPPING:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt
    for number in STOPPING:
        signal.signal(number, interrupt)


def _unavailable(why):
    print(f"demo: no virtual network: {why}", file=sys.stderr, flush=True)
    sys.stdout.flush()
    os._exit(UNAVAILABLE)
