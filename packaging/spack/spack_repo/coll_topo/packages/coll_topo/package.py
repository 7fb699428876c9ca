# SPDX-License-Identifier: BSD-3-Clause
import os

from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class CollTopo(AutotoolsPackage):
    """A component of Open MPI that fits collective operations such as MPI_Allreduce to
    clusters whose network is a torus, a mesh or a fat tree."""

    # Archives are made by scripts/make-archive and put into a mirror or into the directory where Spack is called.
    manual_download = True

    license("BSD-3-Clause")

    version("1.0.0")

    variant("tools", default=True, description="Build the commands coll-topo, coll-topo-bench and coll-topo-measure")
    variant("simulate", default=False, when="+tools", description="Build the command coll-topo simulate")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("tl-expected", type="build")
    depends_on("hwloc@2:")
    # Of this repository: with internal header files. All of a job load one hwloc.
    depends_on("openmpi@4.1,5.0 ~internal-hwloc", type=("build", "link", "run"))
    with when("+tools"):
        depends_on("cli11", type="build")
        depends_on("nlohmann-json", type="build")
        depends_on("fmt")
        depends_on("yaml-cpp")
    depends_on("simgrid@3.32", when="+simulate")

    conflicts("%gcc@:9", msg="coll_topo is written in C++20")

    def url_for_version(self, version):
        return f"file://{os.getcwd()}/coll-topo-{version}.tar.gz"

    def configure_args(self):
        return [
            f"--with-openmpi={self.spec['openmpi'].prefix}",
            f"--with-mca-dir={self.prefix.lib.openmpi}",
            "--with-simgrid=" + ("yes" if self.spec.satisfies("+simulate") else "no"),
        ]

    def setup_run_environment(self, env):
        # As in the modulefile: mpirun of 5.0 would hand the variable of the path itself to PMIx, too.
        openmpi = self.spec["openmpi"]
        files = [
            "~/.openmpi/mca-params.conf",
            join_path(self.prefix.share, "coll-topo", "openmpi-mca-params.conf"),
            join_path(openmpi.prefix.etc, "openmpi-mca-params.conf"),
        ]
        env.set("OMPI_MCA_mca_base_param_files", ",".join(files))
        if openmpi.satisfies("@5:"):
            env.set("PMIX_MCA_mca_base_param_files", "/dev/null")

    def test_component(self):
        """Open MPI finds the component"""
        ompi_info = which(self.spec["openmpi"].prefix.bin.ompi_info)
        out = ompi_info("--parsable", "--param", "coll", "topo", "--level", "9", output=str.split, error=str.split)
        check_outputs(["coll_topo_topology_file"], out)

    def test_prove(self):
        """Schedules of a torus are proved correct"""
        if self.spec.satisfies("~tools"):
            raise SkipTest("the commands are not built")
        coll_topo = which(join_path(self.prefix.bin, "coll-topo"))
        torus = join_path(self.prefix.share, "coll-topo", "topologies", "torus-4x4.conf")
        coll_topo("prove", torus)
