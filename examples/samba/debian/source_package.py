# SPDX-License-Identifier: BSD-2-Clause
"""Adds the probes to an unpacked Debian source package of Samba.

Everything goes to debian/: two patches at the end of the quilt series, a copy
of what the build needs of sdtkit, and a few lines for debian/rules, copyright
and changelog. Samba's own files are left alone; dpkg-buildpackage applies the
series.
"""

import email.utils
import os
import pathlib
import pwd
import re
import shutil
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SAMBA = HERE.parent
SDTKIT = SAMBA.parent.parent
sys.path.insert(0, str(SAMBA))

import apply  # noqa: E402

SUFFIX = "+sdtkit"
PATCHES = "sdtkit"      # below debian/patches
COPY = "sdtkit"         # below debian

# `config-args` is expanded when waf is called, so its last value counts. The
# copy of probegen is to stay free of bytecode, which dpkg-source would refuse.
RULES = """
# sdtkit: the static probes
config-args += --with-static-probes%s
export PYTHONDONTWRITEBYTECODE = 1
"""
WITH_COPY = " --with-sdtkit=${CURDIR}/debian/" + COPY

COPYRIGHT = """
Files: debian/%s/* lib/static_probes/* lib/tevent/tevent_probes.h
 lib/tevent/tevent_off.h
Copyright: 2026 the sdtkit authors
License: BSD-2-clause

License: BSD-2-clause
%s
"""

FILES_HEADER = """\
Description: static probes (USDT): the descriptions and headers
 New files only, from sdtkit. Without --with-static-probes they compile to
 nothing.
Author: the sdtkit authors
Forwarded: not-needed
"""

LINES_HEADER = """\
Description: static probes (USDT): the lines in Samba's files
 Lines are only added. The patch has no context, so it fits the source that it
 was made from and no other: make.py makes it anew for each version.
Author: the sdtkit authors
Forwarded: not-needed
"""


class Wrong(Exception):
    """The tree cannot be used; the message says why."""


def top_entry(text):
    """Returns the version and the distribution of the last changelog entry."""
    found = re.match(r"samba \(([^)]+)\) ([^;\s]+)", text)
    if not found:
        raise Wrong("debian/changelog is not one of Debian's samba")
    return found.groups()


def names(series):
    """The patches of a quilt series, without comments."""
    return [line.split()[0] for line in series.split("\n")
            if line.split("#")[0].strip()]


def check(tree):
    """Raises Wrong unless the tree is Debian's and nothing of ours is in it."""
    changelog = tree / "debian/changelog"
    if not changelog.exists():
        raise Wrong("%s: no debian/changelog: this is not an unpacked Debian "
                    "source package" % tree)
    version, _ = top_entry(apply.read(changelog))
    if SUFFIX in version:
        raise Wrong("%s: version %s has the probes already: unpack Debian's "
                    "source package again" % (tree, version))
    if apply.read(tree / "debian/source/format").strip() != "3.0 (quilt)":
        raise Wrong("%s: the source format is not 3.0 (quilt)" % tree)
    if "config-args" not in apply.read(tree / "debian/rules"):
        raise Wrong("%s: debian/rules has no config-args, to which the options "
                    "for probes could be added" % tree)
    applied = tree / ".pc/applied-patches"
    series = names(apply.read(tree / "debian/patches/series"))
    done = names(apply.read(applied)) if applied.exists() else []
    if done != series:
        raise Wrong("%s: %d of Debian's %d patches are applied: use the tree "
                    "that 'dpkg-source -x' makes, or run 'quilt push -a'" %
                    (tree, len(done), len(series)))


def lines_patch(tree, table):
    """Returns the patch of Samba's files, without context, and the number of
    places."""
    command = [sys.executable, "-B", str(SAMBA / "apply.py"), "--diff",
               "--table", str(table), str(tree)]
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          universal_newlines=True)
    if done.returncode == 1:
        raise Wrong("%s: apply.py does not find all places in this Samba: add "
                    "them to %s" % (tree, table))
    if done.returncode:
        raise Wrong("apply.py failed: exit status %d" % done.returncode)
    return done.stdout, done.stdout.count("\n@@ ")


def files_patch():
    """Returns the patch that makes the files of lib/static_probes."""
    parts = []
    for path, text in sorted(apply.new_files().items()):
        lines = text.rstrip("\n").split("\n")
        parts.append("--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n%s\n" % (
            path, len(lines), "".join("+%s\n" % line for line in lines)[:-1]))
    return "".join(parts)


def copy_sdtkit(to):
    """Copies the headers and probegen: what --with-sdtkit=DIR needs."""
    shutil.rmtree(str(to), ignore_errors=True)
    for path in sorted((SDTKIT / "include/sdtkit").glob("*.h")):
        apply.write(to / "include/sdtkit" / path.name, apply.read(path))
    for path in sorted((SDTKIT / "probegen").rglob("*.py")):
        apply.write(to / path.relative_to(SDTKIT), apply.read(path))
    apply.write(to / "LICENSE", apply.read(SDTKIT / "LICENSE"))


def license_text():
    """The conditions of LICENSE as a field of debian/copyright."""
    _, _, text = apply.read(SDTKIT / "LICENSE").partition("Redistribution")
    lines = ("Redistribution" + text).rstrip("\n").split("\n")
    return "\n".join(" " + (line or ".") for line in lines)


def maintainer():
    """Who makes the packages, asked for as dch(1) does."""
    user = pwd.getpwuid(os.getuid())
    name = os.environ.get("DEBFULLNAME") or user.pw_gecos.split(",")[0]
    address = os.environ.get("DEBEMAIL") or os.environ.get("EMAIL")
    return "%s <%s>" % (name or user.pw_name, address or "%s@%s" % (
        user.pw_name, socket.gethostname()))


def entry(version, distribution, number):
    """Returns the new changelog entry, as dch(1) would write it."""
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    return ("samba (%s%s%d) %s; urgency=medium\n\n"
            "  * Static probes (USDT) of sdtkit, for tsmbd and other tracers.\n"
            "\n -- %s  %s\n\n" % (
                version, SUFFIX, number, distribution.split("-")[0],
                maintainer(), email.utils.formatdate(seconds)[:-5] + "+0000"))


def append(path, text):
    apply.write(path, apply.read(path).rstrip("\n") + "\n" + text)


def depend(control, packages):
    """Adds packages to the build dependencies of architecture-dependent
    packages, or to those of all."""
    field = "Build-Depends-Arch:" if "\nBuild-Depends-Arch:" in control \
        else "Build-Depends:"
    if "\n" + field not in control:
        raise Wrong("debian/control has no Build-Depends")
    return control.replace(
        "\n" + field, "\n%s %s," % (field, ", ".join(packages)), 1)


def prepare(tree, number=1, installed=False, table=SAMBA / "sites.txt"):
    """Returns the new version and the number of places.

    installed: use the packages libsdtkit-dev and sdtkit, and copy nothing.
    """
    check(tree)
    lines, count = lines_patch(tree, table)
    debian = tree / "debian"
    patches = debian / "patches" / PATCHES
    if installed:
        control = depend(apply.read(debian / "control"),
                         ["libsdtkit-dev", "sdtkit"])
        apply.write(debian / "control", control)
    else:
        copy_sdtkit(debian / COPY)
        append(debian / "copyright", COPYRIGHT % (COPY, license_text()))
    apply.write(patches / "files.patch", FILES_HEADER + files_patch())
    apply.write(patches / "lines.patch", LINES_HEADER + lines)
    append(debian / "patches/series",
           "# sdtkit\n%s/files.patch\n%s/lines.patch\n" % (PATCHES, PATCHES))
    append(debian / "rules", RULES % ("" if installed else WITH_COPY))
    old = apply.read(debian / "changelog")
    version, distribution = top_entry(old)
    # last: a tree with the suffix is done
    apply.write(debian / "changelog",
                entry(version, distribution, number) + old)
    return "%s%s%d" % (version, SUFFIX, number), count
