# SPDX-License-Identifier: BSD-3-Clause
# What only the tests need: `make` works without it, `make check` then says what to install.

# COLL_TOPO_TEST_LIBRARIES: GoogleTest, RapidCheck and MPFR.
AC_DEFUN([COLL_TOPO_TEST_LIBRARIES], [
coll_topo_test_packages=
PKG_CHECK_MODULES([GTEST], [gtest gtest_main], [], [coll_topo_test_packages="libgtest-dev"])
PKG_CHECK_MODULES([MPFR], [mpfr >= 4.0], [], [coll_topo_test_packages="$coll_topo_test_packages libmpfr-dev"])
AC_LANG_PUSH([C++])
coll_topo_saved_flags=$CXXFLAGS
coll_topo_saved_libs=$LIBS
CXXFLAGS="$CXXFLAGS -std=c++20"
LIBS="-lrapidcheck $LIBS"
AC_MSG_CHECKING([for RapidCheck])
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <rapidcheck.h>]], [[return rc::check([](int) {}) ? 0 : 1;]])],
    [AC_MSG_RESULT([yes])
     AC_SUBST([RAPIDCHECK_LIBS], [-lrapidcheck])],
    [AC_MSG_RESULT([no])
     coll_topo_test_packages="$coll_topo_test_packages librapidcheck-dev"])
CXXFLAGS=$coll_topo_saved_flags
LIBS=$coll_topo_saved_libs
AC_LANG_POP([C++])
AC_SUBST([MISSING_TEST_PACKAGES], [$coll_topo_test_packages])
AS_IF([test -z "$coll_topo_test_packages"], [coll_topo_unit_tests=yes],
    [coll_topo_unit_tests="no, apt-get install $coll_topo_test_packages"])
AM_CONDITIONAL([HAVE_TEST_LIBRARIES], [test -z "$coll_topo_test_packages"])
])

# COLL_TOPO_MERGED_UNITS: less time in the compiler; but a source that lacks an include is not noticed.
AC_DEFUN([COLL_TOPO_MERGED_UNITS], [
AC_ARG_ENABLE([merged-tests], [AS_HELP_STRING([--enable-merged-tests],
    [Compile the unit tests of a folder as one unit. For continuous integration, which compiles all of them.])])
AM_CONDITIONAL([MERGED_TESTS], [test "x$enable_merged_tests" = xyes])
AC_ARG_ENABLE([quick-libraries], [AS_HELP_STRING([--enable-quick-libraries],
    [Compile what a library has in a folder as one unit. For continuous integration, too.])])
AM_CONDITIONAL([QUICK_LIBRARIES], [test "x$enable_quick_libraries" = xyes])
# GCC has memory for such a unit without looking for what it could free: a tenth of its time, for 80 MB more.
AS_IF([test "x$enable_quick_libraries" = xyes], [COLL_TOPO_ADD_CXXFLAGS([--param ggc-min-heapsize=4000000])])
])

# COLL_TOPO_TEST_PROGRAMS
AC_DEFUN([COLL_TOPO_TEST_PROGRAMS], [
AC_ARG_VAR([CLANG_FORMAT], [clang-format 14 or later, for the format check])
AC_CHECK_PROGS([CLANG_FORMAT], [clang-format clang-format-14])
AC_ARG_VAR([VALGRIND], [valgrind, for make check-valgrind])
AC_CHECK_PROGS([VALGRIND], [valgrind])
AC_CHECK_TOOL([NM], [nm], [nm])
AC_CHECK_TOOL([OBJCOPY], [objcopy], [objcopy])
AC_CHECK_TOOL([READELF], [readelf], [readelf])
# COLL_TOPO_OPENMPI_HEADERS has looked for Open MPI's.
AM_CONDITIONAL([HAVE_ACCELERATORS], [test "x$coll_topo_accelerators" = xyes])
AS_CASE([$OMPI_VERSION], [4.*|5.*], [coll_topo_long_counts=no], [coll_topo_long_counts=yes])
AM_CONDITIONAL([HAVE_LONG_COUNTS], [test $coll_topo_long_counts = yes])
])
