# SPDX-License-Identifier: BSD-3-Clause
"""Debian's packages of the programs."""
import os
import shutil
import subprocess
import sys

from comparison import Failure


def missing(packages):
    """Those that are not installed."""
    if shutil.which("dpkg-query") is None:
        return []
    states = {}
    for package in packages:
        done = subprocess.run(["dpkg-query", "--show", "--showformat", "${db:Status-Abbrev}", package],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        states[package] = done.stdout.startswith("ii")
    return [package for package, installed in states.items() if not installed]


def install(packages):
    """Installs those that are missing, by name, without what they recommend."""
    wanted = missing(packages)
    if not wanted:
        return
    if shutil.which("apt-get") is None or os.geteuid() != 0 and shutil.which("sudo") is None:
        raise Failure(f"these packages are missing, and only an administrator can install them: {' '.join(wanted)}")
    print(f"try-applications: installing {' '.join(wanted)}", file=sys.stderr, flush=True)
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    command = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-q", "-y", "--no-remove",
               "--no-install-recommends", *wanted]
    if subprocess.run([*as_root, "apt-get", "update", "-q"], stdout=sys.stderr).returncode != 0 or \
            subprocess.run(command, stdout=sys.stderr).returncode != 0:
        raise Failure(f"apt-get could not install {' '.join(wanted)}")
