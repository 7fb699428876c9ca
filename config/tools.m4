# SPDX-License-Identifier: BSD-3-Clause
# What only the tools need: without it the component is built and they are not.

# COLL_TOPO_TOOL_LIBRARIES: CLI11, fmt, JSON for Modern C++ and yaml-cpp. Sets the conditional HAVE_TOOL_LIBRARIES,
# FMT_LIBS, YAML_LIBS, and coll_topo_tools for the summary.
AC_DEFUN([COLL_TOPO_TOOL_LIBRARIES], [
coll_topo_tool_packages=
AC_LANG_PUSH([C++])
coll_topo_saved_flags=$CXXFLAGS
CXXFLAGS="$CXXFLAGS -std=c++20"
AC_CHECK_HEADER([CLI/CLI.hpp], [], [coll_topo_tool_packages="$coll_topo_tool_packages libcli11-dev"])
AC_CHECK_HEADER([nlohmann/json.hpp], [], [coll_topo_tool_packages="$coll_topo_tool_packages nlohmann-json3-dev"])
PKG_CHECK_MODULES([FMT], [fmt], [], [coll_topo_tool_packages="$coll_topo_tool_packages libfmt-dev"])
PKG_CHECK_MODULES([YAML], [yaml-cpp], [], [coll_topo_tool_packages="$coll_topo_tool_packages libyaml-cpp-dev"])
CXXFLAGS=$coll_topo_saved_flags
AC_LANG_POP([C++])
AM_CONDITIONAL([HAVE_TOOL_LIBRARIES], [test -z "$coll_topo_tool_packages"])
AS_IF([test -z "$coll_topo_tool_packages"], [coll_topo_tools=yes],
    [coll_topo_tools="no, apt-get install$coll_topo_tool_packages"])
])

# COLL_TOPO_SIMGRID: for the command coll-topo simulate.
AC_DEFUN([COLL_TOPO_SIMGRID], [
AC_ARG_WITH([simgrid], [AS_HELP_STRING([--with-simgrid=yes|no|auto],
    [Build the command coll-topo simulate. Default: auto, if SimGrid is there.])],
    [], [with_simgrid=auto])
coll_topo_simgrid=no
AS_IF([test "x$with_simgrid" != xno],
    [PKG_CHECK_MODULES([SIMGRID], [simgrid >= 3.32], [COLL_TOPO_SIMGRID_HEADERS],
        [coll_topo_simgrid="no, apt-get install libsimgrid-dev"])])
AS_CASE([$with_simgrid],
    [yes], [AS_IF([test "x$coll_topo_simgrid" != xyes], [COLL_TOPO_MISSING([SimGrid 3.32], [libsimgrid-dev])])],
    [no|auto], [],
    [AC_MSG_ERROR([--with-simgrid is yes, no or auto])])
AM_CONDITIONAL([HAVE_SIMGRID], [test "x$coll_topo_tools" = xyes && test "x$coll_topo_simgrid" = xyes])
])

# SimGrid's interface changes between versions; 3.32 is what the simulator was written for.
AC_DEFUN([COLL_TOPO_SIMGRID_HEADERS], [
AC_LANG_PUSH([C++])
coll_topo_saved_flags=$CXXFLAGS
coll_topo_saved_libs=$LIBS
CXXFLAGS="$CXXFLAGS -std=c++20 $SIMGRID_CFLAGS"
LIBS="$SIMGRID_LIBS $LIBS"
AC_MSG_CHECKING([whether this SimGrid is one the simulator knows])
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
                                  #include <simgrid/kernel/routing/NetPoint.hpp>
                                  #include <simgrid/kernel/routing/NetZoneImpl.hpp>
                                  #include <simgrid/s4u.hpp>
                                  struct Zone : simgrid::kernel::routing::NetZoneImpl {
                                      Zone() : NetZoneImpl("zone") {}
                                      void get_local_route(const simgrid::kernel::routing::NetPoint*,
                                                           const simgrid::kernel::routing::NetPoint*,
                                                           simgrid::kernel::routing::Route*, double*) override {}
                                  };]],
                                [[simgrid::s4u::Engine engine("test");
                                  (new Zone)->get_iface()->get_network_model()->set_lat_factor_cb(
                                      [](double, const simgrid::s4u::Host*, const simgrid::s4u::Host*, const auto&,
                                         const auto&) { return 1.0; });]])],
    [AC_MSG_RESULT([yes])
     coll_topo_simgrid=yes],
    [AC_MSG_RESULT([no])
     coll_topo_simgrid="no, SimGrid is too new or too old; 3.32 is known to work"])
CXXFLAGS=$coll_topo_saved_flags
LIBS=$coll_topo_saved_libs
AC_LANG_POP([C++])
])
