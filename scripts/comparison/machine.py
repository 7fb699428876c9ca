# SPDX-License-Identifier: BSD-3-Clause
"""What was measured with: the machine and the software, as the page of results says."""
import platform
import re
import subprocess
from pathlib import Path


def _first(pattern, path, otherwise):
    try:
        found = re.search(pattern, Path(path).read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1) if found else otherwise


def processor():
    return _first(r"^model name\s*: (.*)$", "/proc/cpuinfo", platform.machine())


def memory():
    kibibytes = int(_first(r"^MemTotal:\s+(\d+)", "/proc/meminfo", 0))
    return f"{kibibytes / (1 << 20):.0f} GiB"


def _said(*command, cwd=None):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=cwd).stdout
    except OSError:
        return ""


def revision():
    return _said("git", "describe", "--always", "--dirty", cwd=Path(__file__).parent).strip() or "(release)"


def open_mpi():
    return (_said("ompi_info", "--version").splitlines() or ["Open MPI"])[0]
