# SPDX-License-Identifier: BSD-2-Clause
# sdtkit.m4 - probes in a build with autoconf, with or without automake.
#
# SDTKIT_INIT([COPY])
# -------------------
# Adds --enable-probes=auto|yes|no and looks for sdtkit: installed, else in COPY,
# a directory below $(top_srcdir). It sets, for makefiles:
#	@SDTKIT_CPPFLAGS@ @SDTKIT_LIBS@	to compile and to link
#	@SDTKIT_RULES@			on a line of its own: makes
#					NAME_probes.h from NAME_probes.d
# and the shell variable sdtkit_probes to yes or no.
#
# Without sdtkit, yes is an error; auto and no compile the program without
# probes. Then NAME_probes.h is a copy of NAME_probes.noop.h, which the project
# commits: probegen --emit noop NAME_probes.d -o NAME_probes.noop.h
AC_DEFUN([SDTKIT_INIT],
[AC_ARG_ENABLE([probes],
  [AS_HELP_STRING([--enable-probes=auto|yes|no],
    [static probes for tracers (USDT); auto: if sdtkit is there])],
  [], [enable_probes=auto])
AS_CASE([$enable_probes], [auto|yes|no], [],
  [AC_MSG_ERROR([--enable-probes=$enable_probes: use auto, yes or no])])
AC_PATH_TOOL([PKG_CONFIG], [pkg-config])
sdtkit_copy="m4_default([$1], [.])"
sdtkit_source=
SDTKIT_PROBEGEN=
SDTKIT_CPPFLAGS=
SDTKIT_LIBS=
AC_MSG_CHECKING([for sdtkit])
# pkg-config writes a backslash before a blank, also in variables
AS_IF([test -n "$PKG_CONFIG" && $PKG_CONFIG --exists sdtkit],
  [sdtkit_installed=`$PKG_CONFIG --variable=probegen sdtkit`],
  [sdtkit_installed=])
AS_IF([test -n "$sdtkit_installed" && eval test -x "$sdtkit_installed"],
  [SDTKIT_PROBEGEN=$sdtkit_installed
   SDTKIT_CPPFLAGS=`$PKG_CONFIG --cflags sdtkit`
   sdtkit_makefile=`$PKG_CONFIG --variable=makefile sdtkit`
   sdtkit_source=`AS_DIRNAME(["$sdtkit_makefile"])`/probegen
   # there may be no library for the machine that is compiled for
   AS_IF([$PKG_CONFIG --exists sdtkit-arg],
     [SDTKIT_LIBS=`$PKG_CONFIG --libs sdtkit-arg`],
     [SDTKIT_CPPFLAGS="$SDTKIT_CPPFLAGS -DSDTKIT_ARG_INLINE"])
   # AC_MSG_RESULT prints a command in backquotes as it is written
   sdtkit_version=`$PKG_CONFIG --modversion sdtkit`
   AC_MSG_RESULT([$sdtkit_version])],
 [test -f "$srcdir/$sdtkit_copy/probegen/cli.py"],
  [sdtkit_source='$(top_srcdir)'/$sdtkit_copy/probegen
   sdtkit_makefile='$(top_srcdir)'/$sdtkit_copy/lib/build/sdtkit.mk
   SDTKIT_PROBEGEN="\$(PYTHON) -B $sdtkit_source"
   SDTKIT_CPPFLAGS='-I$(top_srcdir)'"/$sdtkit_copy/include -DSDTKIT_ARG_INLINE"
   AC_MSG_RESULT([in $sdtkit_copy])],
 [AC_MSG_RESULT([no])])
sdtkit_python=
AS_IF([test -n "$SDTKIT_PROBEGEN"],
 [AC_PATH_PROG([PYTHON], [python3])
  AS_IF([test -z "$PYTHON"], [SDTKIT_PROBEGEN=])])
sdtkit_probes=yes
AS_IF([test -z "$SDTKIT_PROBEGEN" || test "$enable_probes" = no],
 [sdtkit_probes=no])
AS_IF([test "$enable_probes" = yes && test "$sdtkit_probes" = no],
 [AC_MSG_ERROR([--enable-probes: sdtkit or python3 is missing: install them, set PKG_CONFIG_PATH, or configure with --disable-probes])])
AS_IF([test "$sdtkit_probes" = no],
 [SDTKIT_CPPFLAGS="$SDTKIT_CPPFLAGS -DSDTKIT_DISABLE"])
AS_IF([test -n "$SDTKIT_PROBEGEN"], [SDTKIT_RULES="\
PYTHON = $PYTHON
SDTKIT_PROBEGEN = $SDTKIT_PROBEGEN
SDTKIT_SOURCE = $sdtkit_source
include $sdtkit_makefile"], [SDTKIT_LIBS=
SDTKIT_RULES="\
%_probes.h: %_probes.noop.h
	@mkdir -p '\$(@D)'
	cp '\$<' '\$[]@'
%_probes.h: %_probes.d
	@echo '\$[]@: sdtkit is missing, and so is \$[]*_probes.noop.h: install sdtkit' >&2
	@exit 1"])
AC_MSG_CHECKING([whether to compile probes])
AC_MSG_RESULT([$sdtkit_probes])
AC_SUBST([SDTKIT_CPPFLAGS])
AC_SUBST([SDTKIT_LIBS])
AC_SUBST([SDTKIT_RULES])
m4_ifdef([_AM_SUBST_NOTMAKE], [_AM_SUBST_NOTMAKE([SDTKIT_RULES])])
])
