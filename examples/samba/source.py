# SPDX-License-Identifier: BSD-2-Clause
"""Gets a source of Samba, puts the probes in, and builds smbd.

What is built is a Source: that of Debian's suites here or of a named one, or
what git has under a name. wanted() makes one of the words of --samba.

Everything is below one directory, so that a second run finds it: the archives,
the tree, and a file `configured` with the options that it was configured with.
Nothing of the system's apt is changed: it has a list of sources of its own.
"""

import os
import pathlib
import re
import subprocess
import sys
from collections import namedtuple

HERE = pathlib.Path(__file__).resolve().parent
SDTKIT = HERE.parent.parent

# As little as smbd needs, but everything that has probes. Samba's own Kerberos
# would add 600 files.
CONFIGURE = """--with-static-probes --with-cluster-support
--bundled-libraries=tevent --with-system-mitkrb5 --without-ad-dc --without-ads
--without-ldap --without-pam --without-winbind --without-libarchive
--without-systemd --without-lttng --without-json --without-gpgme
--disable-python --disable-cups --disable-iprint --disable-avahi
--disable-glusterfs --disable-cephfs --with-shared-modules=!vfs_snapper""".split()

# Debian 12; the Samba of a newer suite may have other places
MIRROR = "http://deb.debian.org/debian"
SECURITY = "http://deb.debian.org/debian-security"
FALLBACK = "deb-src %s bookworm main\n" % MIRROR

# The versions that Debian's releases have.
RELEASES = {"4.17": "bookworm", "4.22": "trixie"}
SUITES = ["bookworm", "trixie", "forky", "testing", "unstable", "sid"]
# They have no updates and no security.
ROLLING = ["testing", "unstable", "sid", "experimental"]
REPOSITORY = "https://gitlab.com/samba-team/samba.git"

# modules of newer ones that have probes, in a file of their own
MODULES = ["aio_ratelimit"]
WINBIND = os.environ.get("SAMBA_WINBIND") == "yes"

# name: of its directory in the cache, "" for the cache itself
# suite: of Debian, or None for those of apt here
# ref: a branch or tag in Samba's repository instead, or None
Source = namedtuple("Source", "name suite ref")
HERE_SOURCE = Source("", None, None)


class Failed(Exception):
    """An error that is printed."""


def wanted(word):
    """Returns the Source that is meant by --samba=word; raises Failed."""
    if not word:
        return HERE_SOURCE
    suite = RELEASES.get(word, word)
    if suite in SUITES:
        return Source(suite, suite, None)
    if word == "master":
        return Source(word, None, word)
    if re.match(r"\d+\.\d+\.\d+$", word):
        return Source(word, None, "samba-" + word)
    if re.match(r"\d+\.\d+$", word):
        return Source(word, None, "v%s-stable" % word.replace(".", "-"))
    raise Failed("--samba=%s: is not a version such as 4.22 or 4.24.5, nor a "
                 "suite of Debian (%s), nor master" % (word, ", ".join(SUITES)))


def lists(suite):
    """The lines of sources.list for the source packages of a suite."""
    lines = ["%s %s" % (MIRROR, suite)]
    if suite not in ROLLING:
        lines += ["%s %s-updates" % (MIRROR, suite),
                  "%s %s-security" % (SECURITY, suite)]
    return "".join("deb-src %s main\n" % line for line in lines)


def call(command, log, **more):
    """Runs a command with its output in a file; prints the end if it fails."""
    with open(str(log), "w") as out:
        done = subprocess.run([str(c) for c in command], stdout=out,
                              stderr=subprocess.STDOUT, **more)
    if done.returncode:
        tail = pathlib.Path(log).read_text(errors="replace").split("\n")[-20:]
        raise Failed("%s failed, see %s:\n%s" % (
            command[0], log, "\n".join(tail)))


def lists_of_apt():
    """The lines of sources.list for the source packages of apt's suites.

    Others than Debian's are left out: they may have a key of their own, no
    suite, as the archive of debian/make.py, or no source packages.
    """
    said = subprocess.run(
        ["apt-get", "indextargets", "Created-By: Packages", "--format",
         "$(ORIGIN)|deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)"],
        stdout=subprocess.PIPE, universal_newlines=True).stdout
    pairs = [line.partition("|") for line in said.split("\n")]
    # apt leaves a name that has no value as it is
    lines = [(origin, line) for origin, _, line in pairs
             if line and "$(" not in line]
    debian = [each for each in lines if each[0].startswith("Debian")]
    chosen = sorted({line for _, line in debian or lines})
    return "\n".join(chosen) + "\n" if chosen else FALLBACK


def unpacked(top, package):
    """Returns the newest tree of the package below top, or None."""
    found = sorted(top.glob(package + "-*/debian/changelog"))
    return found[-1].parent.parent if found else None


def fetch(top, lists=None, package="samba"):
    """Returns the source tree, unpacked with Debian's patches.

    lists: the lines of sources.list to use, else those of apt here.
    """
    tree = unpacked(top, package)
    if tree:
        return tree
    print("fetching Debian's source package of %s" % package, flush=True)
    for name in ("lists/partial", "archives/partial"):
        (top / name).mkdir(parents=True, exist_ok=True)
    (top / "sources.list").write_text(lists or lists_of_apt())
    options = []
    for name, value in (("Dir::Etc::SourceList", top / "sources.list"),
                        ("Dir::Etc::SourceParts", "-"),
                        ("Dir::State::Lists", top / "lists"),
                        ("Dir::Cache", top), ("APT::Sandbox::User", "root")):
        options += ["-o", "%s=%s" % (name, value)]
    call(["apt-get"] + options + ["update"], top / "update.log")
    call(["apt-get"] + options + ["source", package], top / "fetch.log",
         cwd=str(top))
    tree = unpacked(top, package)
    if not tree:
        raise Failed("apt-get source has left no %s-* in %s" % (package, top))
    return tree


def clone(top, ref):
    """Returns the tree of a branch or tag of Samba's repository."""
    tree = top / "samba"
    if (tree / "wscript").exists():
        return tree
    url = os.environ.get("SDTKIT_SAMBA_GIT", REPOSITORY)
    print("fetching %s of %s" % (ref, url), flush=True)
    call(["git", "clone", "--quiet", "--depth=1", "--branch=" + ref, url,
          tree], top / "fetch.log")
    return tree


def get(cache, source):
    """Returns (the directory that all of it is kept in, the source tree)."""
    top = cache / source.name
    top.mkdir(parents=True, exist_ok=True)
    if source.ref:
        return top, clone(top, source.ref)
    return top, fetch(top, lists(source.suite) if source.suite else None)


def keep_patch(tree, path):
    """Writes what apply.py will add to Samba's files, for a reader."""
    patch = subprocess.run([sys.executable, "-B", str(HERE / "apply.py"),
                            "--diff", str(tree)], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL).stdout
    if patch:   # else it was done before
        path.write_bytes(patch)


def targets(tree):
    """What waf is to build."""
    modules = ["vfs_" + name for name in MODULES
               if (tree / ("source3/modules/vfs_%s.c" % name)).exists()]
    return "--targets=" + ",".join(
        ["smbd/smbd", "smbstatus", "ctdbd"] + modules +
        ["winbindd", "wbinfo"] * WINBIND)


def build(cache, profiling, source=HERE_SOURCE):
    """Returns the tree after smbd was built in bin/."""
    top, tree = get(cache, source)
    print("tree: %s" % tree, flush=True)
    keep_patch(tree, top / "probes.patch")
    done = subprocess.run([sys.executable, "-B", str(HERE / "apply.py"),
                           str(tree)])
    if done.returncode:
        raise Failed("apply.py: exit status %d. If another version of it has "
                     "changed this tree, remove the tree: the next run "
                     "unpacks it again" %
                     done.returncode)
    options = CONFIGURE + ["--with-sdtkit=%s" % SDTKIT]
    if (tree / "source3/smbd/smbd_ratelimitd.c").exists():
        options.append("--with-ratelimitd")
    if WINBIND:
        options.remove("--without-winbind")
        options.append("--with-winbind")
    if profiling:	# as Debian's own packages
        options.append("--with-profiling-data")
    # called as if by make, waf has one job unless make's flags say more
    environment = dict(os.environ, PYTHONHASHSEED="1", WAF_MAKE="1",
                       MAKEFLAGS="-j%d" % len(os.sched_getaffinity(0)),
                       CFLAGS="-g -O2")
    configured = tree / "bin" / "sdtkit-configured"	# goes with the tree
    if not configured.exists() or configured.read_text() != " ".join(options):
        print("configuring (takes a minute)", flush=True)
        call(["nice", "./configure"] + options, top / "configure.log",
             cwd=str(tree), env=environment)
        configured.write_text(" ".join(options))
    print("building smbd (takes minutes the first time)", flush=True)
    call(["nice", sys.executable, "buildtools/bin/waf", "build",
          targets(tree)], top / "build.log", cwd=str(tree),
         env=environment)
    return tree


if __name__ == "__main__":
    try:
        wanted(sys.argv[1])
    except Failed as error:
        sys.exit("samba: %s" % error)
