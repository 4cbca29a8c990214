#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""make.py - Debian's packages of Samba, with probes.

    make.py /srv/samba-probes

gets Debian's source package of samba, adds the probes, builds the packages,
and makes the directory an archive that apt installs from. Nothing of the
system is changed: apt gets a list of sources of its own for the source
package, and the build runs as the user who calls this.

Exit status: 0 for success; 1 if a step failed; 2 for wrong usage.
"""

import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))

import source_package  # noqa: E402
import apply  # noqa: E402
import source  # noqa: E402

USAGE = """\
make.py [OPTION...] DIRECTORY             get, prepare and build
       make.py [OPTION...] --tree TREE           only add the probes to TREE
"""


class Failed(Exception):
    """A step failed; the message says which and what to do."""


def arguments(argv):
    parser = argparse.ArgumentParser(
        usage=USAGE, description="Makes Debian's packages of Samba, with "
        "probes, and an archive in DIRECTORY that apt installs from.")
    parser.add_argument("directory", type=pathlib.Path, nargs="?",
                        metavar="DIRECTORY", help="where source, log and "
                        "packages are kept; a second run goes on there")
    parser.add_argument("--tree", type=pathlib.Path, metavar="TREE",
                        help="add the probes to an unpacked source package; "
                        "fetch and build nothing")
    parser.add_argument("--suite", metavar="SUITE",
                        help="Debian's suite to take the source package from, "
                        "for example bookworm; default: those of apt here")
    parser.add_argument("--source", action="store_true",
                        help="make the source package, and build nothing")
    parser.add_argument("--installed", action="store_true",
                        help="let the build depend on the packages "
                        "libsdtkit-dev and sdtkit, instead of a copy of "
                        "sdtkit's headers and probegen in debian/")
    parser.add_argument("--number", type=int, default=1, metavar="N",
                        help="the version ends in +sdtkitN; default: 1")
    parser.add_argument("--profiles", default="", metavar="LIST",
                        help="build profiles, as for dpkg-buildpackage -P")
    parser.add_argument("-j", "--jobs", type=int, metavar="N",
                        default=len(os.sched_getaffinity(0)),
                        help="default: the number of CPUs")
    options = parser.parse_args(argv)
    if bool(options.directory) == bool(options.tree):
        parser.error("name either a DIRECTORY or a --tree")
    if options.number < 1 or options.jobs < 1:
        parser.error("--number and --jobs take a number above 0")
    return options


def need(*programs):
    for program, package in programs:
        found = any(os.access(os.path.join(path, program), os.X_OK)
                    for path in os.get_exec_path())
        if not found:
            raise Failed("%s is not installed: apt-get install %s" %
                         (program, package))


def has_probes(tree):
    version, _ = source_package.top_entry(
        apply.read(tree / "debian/changelog"))
    return source_package.SUFFIX in version


def prepare(tree, options):
    version, count = source_package.prepare(tree, options.number,
                                         options.installed)
    print("samba %s: lines added in %d places" % (version, count), flush=True)


def make_source(tree):
    """Makes the .dsc beside the tree; applies the series."""
    source.call(["dpkg-source", "-b", tree.name], tree.parent / "source.log",
                cwd=str(tree.parent))
    print("source package: %s" % sorted(
        tree.parent.glob("samba_*%s*.dsc" % source_package.SUFFIX))[-1])


def check_dependencies(tree, options):
    profiles = ["-P" + options.profiles] if options.profiles else []
    done = subprocess.run(["dpkg-checkbuilddeps"] + profiles, cwd=str(tree),
                          stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode:
        raise Failed("%s\ninstall them as root: apt-get build-dep%s %s" % (
            done.stderr.strip(), " -P " + options.profiles
            if options.profiles else "", shlex.quote(str(tree))))


def build(tree, options):
    check_dependencies(tree, options)
    words = os.environ.get("DEB_BUILD_OPTIONS", "nocheck").split()
    words = [w for w in words if not w.startswith("parallel=")]
    environment = dict(os.environ, DEB_BUILD_OPTIONS=" ".join(
        words + ["parallel=%d" % options.jobs]))
    command = ["dpkg-buildpackage", "-us", "-uc", "-b"]
    if options.profiles:
        command.append("-P" + options.profiles)
    log = tree.parent / "packages.log"
    print("building; this can take an hour and more. Its output: %s" % log,
          flush=True)
    begun = time.time()
    source.call(command, log, cwd=str(tree), env=environment)
    print("built in %d minutes" % ((time.time() - begun) / 60 + 0.5))


def make_archive(top):
    """Writes Packages, which apt reads."""
    done = subprocess.run(["dpkg-scanpackages", "--multiversion", "."],
                          cwd=str(top), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode:
        raise Failed("dpkg-scanpackages: " + done.stderr.decode().strip())
    (top / "Packages").write_bytes(done.stdout)


def tell(top):
    print("""
To install what this machine has of Samba with probes, as root:
  echo 'deb [trusted=yes] file:%s ./' \\
      >/etc/apt/sources.list.d/samba-probes.list
  apt update && apt upgrade""" % top)


def run(options):
    if options.tree:
        prepare(options.tree.resolve(), options)
        return
    need(("apt-get", "apt"), ("dpkg-source", "dpkg-dev"), ("patch", "patch"))
    if os.geteuid() and not options.source:
        need(("fakeroot", "fakeroot"))
    top = options.directory.resolve()
    if " " in str(top):
        raise Failed("%s: Samba's build takes no path with a blank" % top)
    top.mkdir(parents=True, exist_ok=True)
    tree = source.fetch(top, source.lists(options.suite)
                        if options.suite else None)
    if not has_probes(tree):
        prepare(tree, options)
    if options.source:
        make_source(tree)
        return
    build(tree, options)
    make_archive(top)
    tell(top)


def main(argv):
    options = arguments(argv)
    try:
        run(options)
    except (Failed, source.Failed, source_package.Wrong, apply.Failed,
            OSError) as error:
        print("make.py: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
