# SPDX-License-Identifier: BSD-3-Clause

# COLL_TOPO_MISSING(WHAT, DEBIAN-PACKAGE): notes something that must be there.
AC_DEFUN([COLL_TOPO_MISSING], [
coll_topo_missing="$coll_topo_missing
  $1"
case " $coll_topo_packages " in
*" $2 "*) ;;
*) coll_topo_packages="$coll_topo_packages $2" ;;
esac
])

# COLL_TOPO_STOP_IF_MISSING: one message for all that was noted.
AC_DEFUN([COLL_TOPO_STOP_IF_MISSING], [
AS_IF([test -n "$coll_topo_missing"], [AC_MSG_ERROR([these are missing:
$coll_topo_missing

On Debian and Ubuntu: apt-get install$coll_topo_packages
See config.log for the checks that failed.])])
])

# COLL_TOPO_DEFAULT_FLAGS: to be called before the compilers are looked for. Of debug information, a backtrace needs
# names and lines; more takes time to write. Flags that the user sets come after those of a target, ours before: so
# tests can be compiled without optimisation, unless the user says otherwise.
AC_DEFUN([COLL_TOPO_DEFAULT_FLAGS], [
AS_IF([test "${CFLAGS+set}" = set], [coll_topo_cflags=], [coll_topo_cflags="-g1 -O2" CFLAGS=])
AS_IF([test "${CXXFLAGS+set}" = set], [coll_topo_cxxflags=], [coll_topo_cxxflags="-g1 -O2" CXXFLAGS=])
])

# COLL_TOPO_COMPILERS: adds the language standards to AM_CFLAGS and AM_CXXFLAGS. Where a compiler may contract a*b + c to
# one operation, predicted costs, and with them choices, would depend on the compiler and the processor.
AC_DEFUN([COLL_TOPO_COMPILERS], [
AC_SUBST([AM_CFLAGS], ["-std=gnu11 -ffp-contract=off $coll_topo_cflags"])
AC_SUBST([AM_CXXFLAGS], ["-std=c++20 -ffp-contract=off $coll_topo_cxxflags"])
AC_LANG_PUSH([C])
coll_topo_saved_flags=$CFLAGS
CFLAGS="$CFLAGS -std=gnu11"
AC_MSG_CHECKING([whether $CC compiles C11])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <stdatomic.h>]], [[_Static_assert(1, ""); return ATOMIC_INT_LOCK_FREE;]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     COLL_TOPO_MISSING([a compiler for C11], [gcc])])
CFLAGS=$coll_topo_saved_flags
AC_LANG_POP([C])
AC_LANG_PUSH([C++])
coll_topo_saved_flags=$CXXFLAGS
CXXFLAGS="$CXXFLAGS -std=c++20"
AC_MSG_CHECKING([whether $CXX compiles C++20])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <bit>
                                     #include <compare>
                                     #include <span>]],
                                   [[return std::bit_width(1u) == 1 && (1 <=> 2) < 0 ? 0 : 1;]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     COLL_TOPO_MISSING([a compiler for C++20, such as g++ 10 or later], [g++])])
CXXFLAGS=$coll_topo_saved_flags
AC_LANG_POP([C++])
])

# COLL_TOPO_ADD_CXXFLAGS(FLAGS): to AM_CXXFLAGS, where the compiler has them.
AC_DEFUN([COLL_TOPO_ADD_CXXFLAGS], [
AC_LANG_PUSH([C++])
coll_topo_saved_flags=$CXXFLAGS
CXXFLAGS="$CXXFLAGS -Werror $1"
AC_MSG_CHECKING([whether $CXX has $1])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes])
     AM_CXXFLAGS="$AM_CXXFLAGS $1"],
    [AC_MSG_RESULT([no])])
CXXFLAGS=$coll_topo_saved_flags
AC_LANG_POP([C++])
])

# COLL_TOPO_WARNINGS: warnings, and what keeps other symbols than the component's out of the global name space.
AC_DEFUN([COLL_TOPO_WARNINGS], [
AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [Treat warnings of the compilers as errors.])])
coll_topo_warnings="-Wall -Wextra -Wpedantic"
AS_IF([test "x$enable_werror" = xyes], [coll_topo_warnings="$coll_topo_warnings -Werror"])
AM_CFLAGS="$AM_CFLAGS $coll_topo_warnings -fvisibility=hidden"
AM_CXXFLAGS="$AM_CXXFLAGS $coll_topo_warnings -fvisibility=hidden -fvisibility-inlines-hidden"
COLL_TOPO_ADD_CXXFLAGS([-fno-gnu-unique])
])

# COLL_TOPO_BUILD_ID: ranks compare the build id that the linker gives the component. Some linkers give none unless asked.
AC_DEFUN([COLL_TOPO_BUILD_ID], [
coll_topo_saved_flags=$LDFLAGS
LDFLAGS="$LDFLAGS -Wl,--build-id"
AC_MSG_CHECKING([whether the linker has --build-id])
AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes])
     BUILD_ID_LDFLAGS=-Wl,--build-id],
    [AC_MSG_RESULT([no])
     BUILD_ID_LDFLAGS=])
LDFLAGS=$coll_topo_saved_flags
AC_SUBST([BUILD_ID_LDFLAGS])
])

# COLL_TOPO_SANITIZERS: a build of its own, see the target check-sanitize.
AC_DEFUN([COLL_TOPO_SANITIZERS], [
AC_ARG_ENABLE([sanitizers], [AS_HELP_STRING([--enable-sanitizers],
    [Build with the address and undefined behaviour sanitizers. For tests only; make check-sanitize does it.])])
AS_IF([test "x$enable_sanitizers" = xyes],
    [coll_topo_sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
     AM_CFLAGS="$AM_CFLAGS $coll_topo_sanitizers"
     AM_CXXFLAGS="$AM_CXXFLAGS $coll_topo_sanitizers"
     AM_LDFLAGS="-fsanitize=address,undefined"],
    [AM_LDFLAGS="-Wl,-z,defs"])
AC_SUBST([AM_LDFLAGS])
])

# COLL_TOPO_PRECOMPILED_HEADERS: with GCC, whose precompiled headers are found beside where the header would be.
AC_DEFUN([COLL_TOPO_PRECOMPILED_HEADERS], [
AC_ARG_ENABLE([precompiled-headers], [AS_HELP_STRING([--disable-precompiled-headers],
    [Compile as other compilers than GCC do, which is slower: shows whether each source includes what it uses.])])
AC_LANG_PUSH([C++])
AS_IF([test "x$enable_precompiled_headers" != xno],
    [AC_MSG_CHECKING([whether $CXX is GCC, for precompiled headers])
     AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [[
#if !defined __GNUC__ || defined __clang__
#error not GCC
#endif
]])], [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])
     enable_precompiled_headers=no])])
AC_LANG_POP([C++])
AM_CONDITIONAL([HAVE_PRECOMPILED_HEADERS], [test "x$enable_precompiled_headers" != xno])
AC_SUBST([PIC_FLAGS], [$lt_prog_compiler_pic_CXX])
])

# COLL_TOPO_LIBRARIES: what the core needs.
AC_DEFUN([COLL_TOPO_LIBRARIES], [
PKG_PROG_PKG_CONFIG
AS_IF([test -z "$PKG_CONFIG"], [COLL_TOPO_MISSING([pkg-config], [pkg-config])])
PKG_CHECK_MODULES([HWLOC], [hwloc >= 2.0], [],
    [COLL_TOPO_MISSING([hwloc 2 with its header files], [libhwloc-dev])])
AC_LANG_PUSH([C++])
coll_topo_saved_flags=$CXXFLAGS
CXXFLAGS="$CXXFLAGS -std=c++20"
AC_CHECK_HEADER([tl/expected.hpp], [],
    [COLL_TOPO_MISSING([the header file tl/expected.hpp], [libexpected-dev])])
CXXFLAGS=$coll_topo_saved_flags
AC_LANG_POP([C++])
])
