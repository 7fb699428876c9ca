# SPDX-License-Identifier: BSD-3-Clause
"""Linux namespaces: making, keeping and entering them. (os.unshare and os.setns came with Python 3.12 only.)"""
import ctypes
import errno
import os

MOUNT = 0x00020000
NAMES = 0x04000000  # host name (UTS)
IPC = 0x08000000
USER = 0x10000000
PROCESSES = 0x20000000
NETWORK = 0x40000000

MS_BIND, MS_REC, MS_SLAVE = 0x1000, 0x4000, 0x80000
PR_SET_PDEATHSIG = 1

ADVICE = """cannot make namespaces: {why}.
A virtual cluster needs root, as with sudo, or user namespaces, which this system does not permit to you. To permit
them: 'sysctl kernel.unprivileged_userns_clone=1' (Debian), 'sysctl kernel.apparmor_restrict_unprivileged_userns=0'
(Ubuntu), 'sysctl user.max_user_namespaces=10000' where that is 0; in a container, start that with --privileged.
Nothing else in this project needs a virtual cluster."""

_libc = ctypes.CDLL(None, use_errno=True)


def _call(what, function, *arguments):
    if function(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(kinds):
    _call("unshare", _libc.unshare, ctypes.c_int(kinds))


def enter(path, kind):
    """Moves this process, which has one thread, into the namespace kept at a path."""
    namespace = os.open(path, os.O_RDONLY)
    try:
        enter_open(namespace, kind)
    finally:
        os.close(namespace)


def enter_open(namespace, kind):
    """Likewise, by descriptor. PROCESSES: not this process but its later children."""
    _call("setns", _libc.setns, ctypes.c_int(namespace), ctypes.c_int(kind))


def keep(kind, path):
    """Keeps this process' namespace of a kind, "net" or "uts", alive at a path."""
    with open(path, "x"):
        pass
    mount(f"/proc/self/ns/{kind}", path, flags=MS_BIND)


def mount(source, target, filesystem=None, flags=0):
    _call(f"mount {target}", _libc.mount, source.encode(), target.encode(),
          filesystem and filesystem.encode(), ctypes.c_ulong(flags), None)


def follow_mounts_outside():
    """Mounts made later outside show up here, and none made here outside."""
    mount("none", "/", flags=MS_REC | MS_SLAVE)


def end_with_parent():
    """The kernel ends this process with SIGKILL when the process that made it ends."""
    _call("prctl", _libc.prctl, PR_SET_PDEATHSIG, 9, 0, 0, 0)


def become_root_of_new_user_namespace():
    """For users who are not root: root within namespaces made from now on, without further rights outside."""
    user, group = os.geteuid(), os.getegid()
    unshare(USER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def make(kinds):
    """Moves this process into new namespaces, as root there; for users who are not root outside, in a user namespace."""
    try:
        unshare(kinds)
    except PermissionError:
        become_root_of_new_user_namespace()
        unshare(kinds)


def why_not(error):
    """Why there can be no namespaces, and what to do."""
    reason = "the limits in /proc/sys/user do not permit any more" if error.errno == errno.ENOSPC else error.strerror
    return ADVICE.format(why=reason)
