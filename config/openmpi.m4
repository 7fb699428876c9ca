# SPDX-License-Identifier: BSD-3-Clause

# COLL_TOPO_OPENMPI: the installed Open MPI to build for.
# Sets OMPI_BINDIR, OMPI_PREFIX, OMPI_VERSION, OMPI_PKGLIBDIR, OMPI_HELP_DIR, OMPI_SYSCONFDIR, OMPI_CPPFLAGS, OMPI_LIBS.
AC_DEFUN([COLL_TOPO_OPENMPI], [
AC_ARG_WITH([openmpi], [AS_HELP_STRING([--with-openmpi=DIR],
    [Build for the Open MPI whose programs are in DIR/bin. Default: the one whose ompi_info comes first in PATH.])],
    [], [with_openmpi=yes])
AS_CASE([$with_openmpi],
    [no], [AC_MSG_ERROR([coll_topo is a component of Open MPI and cannot be built without it])],
    [yes], [AC_PATH_PROG([OMPI_INFO], [ompi_info])],
    [AC_PATH_PROG([OMPI_INFO], [ompi_info], [], [$with_openmpi/bin])])
AS_IF([test -z "$OMPI_INFO"],
    [COLL_TOPO_MISSING([Open MPI: no ompi_info in PATH or below --with-openmpi], [openmpi-bin libopenmpi-dev])],
    [COLL_TOPO_OPENMPI_PATHS
     COLL_TOPO_OPENMPI_FLAGS
     COLL_TOPO_OPENMPI_HEADERS])
])

# _COLL_TOPO_OMPI_PATH(NAME): what ompi_info says about a directory.
m4_define([_COLL_TOPO_OMPI_PATH], [`"$OMPI_INFO" --path $1 --parsable | sed -n 's/^path:$1://p'`])

AC_DEFUN([COLL_TOPO_OPENMPI_PATHS], [
AC_MSG_CHECKING([for the version of Open MPI])
OMPI_VERSION=`"$OMPI_INFO" --version | sed -n 's/^Open MPI v//p'`
AC_MSG_RESULT([$OMPI_VERSION])
AS_CASE([$OMPI_VERSION],
    [4.1.*|5.0.*|6.0.*], [],
    [AC_MSG_ERROR([$OMPI_INFO is of Open MPI "$OMPI_VERSION"; coll_topo is for 4.1, 5.0 and 6.0. Name another with --with-openmpi=DIR])])
OMPI_BINDIR=`AS_DIRNAME(["$OMPI_INFO"])`
OMPI_PREFIX=_COLL_TOPO_OMPI_PATH([prefix])
OMPI_PKGLIBDIR=_COLL_TOPO_OMPI_PATH([pkglibdir])
OMPI_HELP_DIR=_COLL_TOPO_OMPI_PATH([pkgdatadir])
OMPI_SYSCONFDIR=_COLL_TOPO_OMPI_PATH([sysconfdir])
coll_topo_ompi_libdir=_COLL_TOPO_OMPI_PATH([libdir])
coll_topo_ompi_incdir=_COLL_TOPO_OMPI_PATH([incdir])
AC_SUBST([OMPI_BINDIR])
AC_SUBST([OMPI_VERSION])
AC_SUBST([OMPI_SYSCONFDIR])
])

# The wrapper compiler knows the directories of packages that come with Open MPI; the internal headers are in the
# subdirectory openmpi. They are not ours to warn about: -isystem. Headers that an installation lacks are looked for
# last in the sources of that Open MPI, if there are any, and among the substitutes.
AC_DEFUN([COLL_TOPO_OPENMPI_FLAGS], [
COLL_TOPO_OPENMPI_SOURCE
COLL_TOPO_OPENMPI_PMIX
OMPI_CPPFLAGS=
for directory in $coll_topo_ompi_incdir $coll_topo_ompi_incdir/openmpi \
    `"$OMPI_BINDIR/mpicc" --showme:incdirs 2>/dev/null` $coll_topo_ompi_source; do
    AS_CASE([" $OMPI_CPPFLAGS "],
        [*" $directory "*], [],
        [OMPI_CPPFLAGS="$OMPI_CPPFLAGS -isystem $directory"])
done
OMPI_CPPFLAGS="$OMPI_CPPFLAGS $PMIX_CFLAGS -isystem \$(top_srcdir)/coll_topo/mca/shim"
# From 6.0 on, libmpi has only the functions of MPI; what they call is in libopen_mpi.
AS_CASE([$OMPI_VERSION], [4.*|5.*], [coll_topo_ompi_internals=], [coll_topo_ompi_internals=-lopen_mpi])
OMPI_LIBS="-L$coll_topo_ompi_libdir -lmpi $coll_topo_ompi_internals -lopen-pal $PMIX_LIBS"
AC_SUBST([OMPI_CPPFLAGS])
AC_SUBST([OMPI_LIBS])
])

# --with-openmpi-source=DIR: the sources of the same release.
AC_DEFUN([COLL_TOPO_OPENMPI_SOURCE], [
AC_ARG_WITH([openmpi-source], [AS_HELP_STRING([--with-openmpi-source=DIR],
    [Take header files that the installed Open MPI lacks from its unpacked sources in DIR.])],
    [], [with_openmpi_source=no])
coll_topo_ompi_source=
AS_CASE([$with_openmpi_source],
    [yes], [AC_MSG_ERROR([--with-openmpi-source needs a directory])],
    [no], [],
    [AC_MSG_CHECKING([for the release of the sources in $with_openmpi_source])
     coll_topo_ompi_source_version=`sed -n 's/^major=//p; s/^minor=/./p; s/^release=/./p' \
         "$with_openmpi_source/VERSION" 2>/dev/null | tr -d '\n'`
     AC_MSG_RESULT([${coll_topo_ompi_source_version:-none}])
     AS_IF([test "$coll_topo_ompi_source_version" != "$OMPI_VERSION"],
         [AC_MSG_ERROR([--with-openmpi-source must name the sources of Open MPI $OMPI_VERSION, which is installed])])
     coll_topo_ompi_source="$with_openmpi_source $with_openmpi_source/opal/include $with_openmpi_source/ompi/include"])
])

# From 5.0 on, Open MPI's headers include those of PMIx, which the wrapper compiler leaves out where it is a package of
# its own. One that was built with Open MPI is in Open MPI's directories. PMIX_LIBS=... is for those who package it.
AC_DEFUN([COLL_TOPO_OPENMPI_PMIX], [
AS_CASE([$OMPI_VERSION],
    [4.*], [PMIX_CFLAGS= PMIX_LIBS=],
    [AS_IF([test -e "$coll_topo_ompi_incdir/pmix.h"],
         [PMIX_CFLAGS= PMIX_LIBS=-lpmix],
         [PKG_CHECK_MODULES([PMIX], [pmix],
              [PMIX_CFLAGS=`AS_ECHO([" $PMIX_CFLAGS"]) | sed 's/ -I *\([[^ ]]\)/ -isystem \1/g'`],
              [COLL_TOPO_MISSING([PMIx, with which Open MPI $OMPI_VERSION was built, with its header files],
                  [libpmix-dev])])])])
])

# The substitutes stand in for a few headers only; where others are missing, the compiler knows which one.
AC_DEFUN([COLL_TOPO_OPENMPI_HEADERS], [
AC_LANG_PUSH([C])
coll_topo_saved_flags=$CPPFLAGS
CPPFLAGS="$CPPFLAGS `AS_ECHO(["$OMPI_CPPFLAGS"]) | sed 's|\$(top_srcdir)|'"$srcdir"'|'`"
AC_MSG_CHECKING([for the header files of Open MPI's components])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <ompi_config.h>
                                     #include <ompi/mca/coll/coll.h>
                                     #include <ompi/op/op.h>]], [])],
    [AC_MSG_RESULT([yes])
     COLL_TOPO_OPENMPI_HWLOC],
    [coll_topo_missing_header=`sed -n 's/.*fatal error: *\([[^: ]]*\).*/\1/p' conftest.err`
     AC_MSG_RESULT([no, ${coll_topo_missing_header:-they do not compile}])
     COLL_TOPO_MISSING([Open MPI's internal header files (${coll_topo_missing_header:-ompi/mca/coll/coll.h and what it includes});
    an own Open MPI must be configured with --with-devel-headers; or unpack the sources of Open MPI $OMPI_VERSION and
    name them with --with-openmpi-source=DIR], [libopenmpi-dev libhwloc-dev libevent-dev])])
AC_CHECK_HEADER([opal/mca/accelerator/accelerator.h], [coll_topo_accelerators=yes], [coll_topo_accelerators=no],
                [[#include <ompi_config.h>]])
CPPFLAGS=$coll_topo_saved_flags
AC_LANG_POP([C])
])

# The component reads the hwloc topology that Open MPI has loaded, so both must use the same hwloc. A copy inside
# Open MPI has renamed symbols.
AC_DEFUN([COLL_TOPO_OPENMPI_HWLOC], [
AC_MSG_CHECKING([whether Open MPI uses the hwloc of the system])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <ompi_config.h>
                                     #include <opal/mca/hwloc/hwloc-internal.h>
                                     #ifdef hwloc_topology_init
                                     #error "a copy of hwloc inside Open MPI"
                                     #endif]], [[return hwloc_get_api_version() != 0;]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     COLL_TOPO_MISSING([an Open MPI configured with --with-hwloc=external, and the header files of that hwloc],
                       [libopenmpi-dev libhwloc-dev])])
])

# COLL_TOPO_INSTALL_DIRECTORY: sets OMPI_MCA_DIR and OMPI_PKGDATADIR (where the texts of messages go).
AC_DEFUN([COLL_TOPO_INSTALL_DIRECTORY], [
AC_ARG_WITH([mca-dir], [AS_HELP_STRING([--with-mca-dir=DIR],
    [Install the component in DIR. Default: the directory of Open MPI's own components, where it is found without
     further settings, and so it is in ~/.openmpi/components. For others see coll-topo(7).])],
    [], [with_mca_dir=no])
AS_CASE([$with_mca_dir],
    [yes], [AC_MSG_ERROR([--with-mca-dir needs a directory])],
    [no], [OMPI_MCA_DIR=$OMPI_PKGLIBDIR
           OMPI_PKGDATADIR=$OMPI_HELP_DIR],
    [OMPI_MCA_DIR=$with_mca_dir
     OMPI_PKGDATADIR=$with_mca_dir])
AM_CONDITIONAL([HAVE_MCA_DIR], [test "x$with_mca_dir" != xno])
AC_SUBST([OMPI_MCA_DIR])
AC_SUBST([OMPI_PKGDATADIR])
])
