# SPDX-License-Identifier: BSD-3-Clause
# What only the tools need: without it the component is built and they are not.

# COLL_TOPO_TOOL_LIBRARIES: CLI11, fmt and JSON for Modern C++. Sets the conditional HAVE_TOOL_LIBRARIES, FMT_LIBS, and
# coll_topo_tools for the summary.
AC_DEFUN([COLL_TOPO_TOOL_LIBRARIES], [
coll_topo_tool_packages=
AC_LANG_PUSH([C++])
coll_topo_saved_flags=$CXXFLAGS
CXXFLAGS="$CXXFLAGS -std=c++20"
AC_CHECK_HEADER([CLI/CLI.hpp], [], [coll_topo_tool_packages="$coll_topo_tool_packages libcli11-dev"])
AC_CHECK_HEADER([nlohmann/json.hpp], [], [coll_topo_tool_packages="$coll_topo_tool_packages nlohmann-json3-dev"])
PKG_CHECK_MODULES([FMT], [fmt], [], [coll_topo_tool_packages="$coll_topo_tool_packages libfmt-dev"])
CXXFLAGS=$coll_topo_saved_flags
AC_LANG_POP([C++])
AM_CONDITIONAL([HAVE_TOOL_LIBRARIES], [test -z "$coll_topo_tool_packages"])
AS_IF([test -z "$coll_topo_tool_packages"], [coll_topo_tools=yes],
    [coll_topo_tools="no, apt-get install$coll_topo_tool_packages"])
])
