# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.packages.openmpi.package import Openmpi as BuiltinOpenmpi

from spack.package import *


class Openmpi(BuiltinOpenmpi):
    """Spack's own Open MPI, with the header files that components are compiled with."""

    def configure_args(self):
        return super().configure_args() + ["--with-devel-headers"]
