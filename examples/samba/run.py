#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""run.py - a real smbd with the probes, from the source package to a report.

    ./dev samba [--samba=VERSION]
    examples/samba/run.py [--samba=VERSION | --tree TREE]

1. Debian's source package of Samba, or the VERSION, is fetched, gets the
   probes, is built.
2. `sdtkit check` holds what was built against the descriptions.
3. smbd runs in a temporary directory, on a port of its own; smbclient uploads,
   lists, downloads and deletes files, rclone does the same by name and asks for
   what is not there, smbtorture does what is rare; tsmbd, sdtkit top and
   examples/reports/smb2.bt watch.
4. Their counts have to equal those of relay.py, which counts what clients send
   and what is answered, and those of smbd's own profiling. All 19 commands.
5. If this Samba has the module aio_ratelimit (4.24), a file goes to and from a
   share with limits: vfs:limit_start has to tell what smbd logs. If smbd tells
   of kept handles (4.25), a client leaves some behind, and another one opens
   their files. If winbindd was built (SAMBA_WINBIND=yes), wbinfo asks it: the
   probes have to tell what winbindd logs.
6. smbd runs with sdtkit's flight recorder; one of its children is killed, and
   the recorder's file has to have each request of all of them. The same with
   smbd run by `sdtkit trace`.
7. smbd runs with a recorder that counts spans, while the kernel counts them,
   too: both have the same numbers, and distributions that are a slot apart at
   most.

Without root or BPF, the third to fifth part and the seventh are left out,
without root the sixth; without rclone, that client is. A message says so; with
SDTKIT_REQUIRE_TRACERS=1 it is an error.

Environment: SDTKIT_BUILD, where sdtkit is built; SDTKIT_SAMBA, where Samba's
source and build are kept (samba below that), each VERSION in a directory of
its own; SDTKIT_SAMBA_GIT, the repository to clone (Samba's own); SAMBA_FILES,
how many files (200); SAMBA_PROFILING=no, a build without profiling, in which
only the probes count; SAMBA_WINBIND=yes, a build with winbindd.

Exit status: 0 if all was well, 1 if something was not.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import apply  # noqa: E402
import counts  # noqa: E402
import handles  # noqa: E402
import limits  # noqa: E402
import rclone  # noqa: E402
import recorder  # noqa: E402
import relay  # noqa: E402
import server  # noqa: E402
import source  # noqa: E402
import spans  # noqa: E402
import tracer  # noqa: E402
import winbind  # noqa: E402

SDTKIT = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get("SDTKIT_BUILD", SDTKIT / "build")).resolve()
CACHE = pathlib.Path(os.environ.get("SDTKIT_SAMBA", BUILD / "samba")).resolve()
FILES = int(os.environ.get("SAMBA_FILES", "200"))
PROFILING = os.environ.get("SAMBA_PROFILING", "yes") != "no"
TSMBD = BUILD / "lib/tsmbd/tsmbd"
METRICS = "tsmbd.prom"

# What holds probes beside smbd: libraries in bin/shared of a tree, and the
# provider that is missed with them, where not all of Samba was built.
HOLDERS = [
    ("libsmbd-base[.-]*", None), ("libsmbconf[.-]*", None),
    ("libdbwrap[.-]*", None), ("libgensec[.-]*", None),
    ("libsamba-cluster-support[.-]*", "ctdb"),
    ("libtevent[.-]s*", "tevent"), ("libtevent-private-*", "tevent"),
]
MODULES = "modules/vfs/*.so"


def title(text):
    print("\n== %s" % text, flush=True)


def holders(tree, without):
    """The files with probes: smbd, and those of its libraries."""
    binaries = tree / "bin"
    found = [(binaries / name).resolve()
             for name in ("smbd", "winbindd", "ctdbd")
             if (binaries / name).exists()]
    for pattern, provider in HOLDERS:
        if provider and provider in without:
            continue
        for path in sorted(binaries.glob("shared/**/" + pattern)):
            if path.resolve() not in found:
                found.append(path.resolve())
    return found + [p.resolve() for p in sorted(binaries.glob(MODULES))
                    if (p.name[:-3] in source.MODULES)]


def check(tree, files, without):
    """Checks that every probe of the descriptions is in one of the files, but
    for those that came with a later Samba."""
    title("sdtkit check")
    later = apply.later_probes(tree)
    names = sorted(p.name for p in (SDTKIT / "providers").iterdir()
                   if p.is_dir() and p.name not in without)
    command = [str(BUILD / "lib/tool/sdtkit"), "check",
               "--ignore=PROVIDER_DIGIT,TOO_MANY_ARGUMENTS",
               ",".join(["*:*"] + ["!" + p for p in later])]
    if later:
        print("came with a later Samba: %s" % ", ".join(later), flush=True)
    for name in names:
        command.append("--description=%s" % (
            SDTKIT / "providers" / name / (name + ".d")))
    done = subprocess.run(command + [str(f) for f in files])
    if done.returncode:
        raise source.Failed("sdtkit check: exit status %d" % done.returncode)


def tracers(smbd, library, top):
    """[(name, command, what it says when it is ready)]."""
    found = [("smb2.bt", ["bpftrace", "-B", "none",
                          SDTKIT / "examples/reports/smb2.bt", library],
              "Tracing")]
    if not TSMBD.exists():
        missing("tsmbd was not built (clang, libbpf-dev, libdw-dev, bpftool)")
    else:
        pid = str(smbd.process.pid)
        found += [("tsmbd", [TSMBD, "-s", "-p", pid], "Collecting"),
                  ("json", [TSMBD, "--json", "-p", pid,
                            "--textfile=%s" % (top / METRICS)], "Collecting"),
                  ("top", [BUILD / "lib/tool/sdtkit", "top", "--json", "-p",
                           pid, "smb2:request"], "Collecting")]
    return found


def session(smbd, library, top):
    """({tracer: output}, the requests): smbclient twice, rclone,
    smbtorture."""
    foreign = has_rclone()
    with tracer.running(tracers(smbd, library, top), top) as texts:
        others = smbd.children()
        between = relay.Relay(smbd.port)
        rounds = []
        for files in (FILES, 2 * FILES):
            before = between.sent()
            server.drive(between.port, top, files)
            rounds.append(between.sent() - before)
        if foreign:
            rclone.drive(between.port, top)
        server.torture(between.port)
        between.close()
        counts.compare_rounds(rounds[0], rounds[1], FILES)
        smbd.wait_for_goodbye(others)
    if foreign:
        rclone.check(between.requests)
    return texts, between.requests


def has_rclone():
    """Returns whether rclone can be used; prints why not, or fails."""
    why = rclone.lacking()
    if why:
        missing("rclone's work: " + why)
    return not why


def untraceable():
    if os.geteuid() != 0:
        return "not root"
    for command in ("bpftrace", "smbclient", "smbtorture"):
        if not shutil.which(command):
            return "%s is not installed" % command
    return None


def missing(why):
    """Prints what is left out; fails if tracers are required."""
    if os.environ.get("SDTKIT_REQUIRE_TRACERS") == "1":
        raise source.Failed(why)
    print("left out: %s" % why, flush=True)


def trace(tree, files):
    """Whether it could; raises Failed if counts differ."""
    why = untraceable()
    if why:
        missing("tracing: " + why)
        return False
    title("smbclient, rclone and smbtorture at work, traced")
    library = next(f for f in files if f.name.startswith("libsmbd-base"))
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        smbd = server.Smbd(tree, top)
        try:
            texts, requests = session(smbd, library, top)
            profile = counts.by_smbd(smbd.profile())
            if "json" in texts:
                texts["metrics"] = (top / METRICS).read_text()
        finally:
            smbd.stop()
    tsmbd = None
    if "tsmbd" in texts:
        title("what tsmbd tells of it")
        print(texts["tsmbd"].strip())
        tsmbd = counts.by_tsmbd(texts["json"])
    title("requests and bytes: on the wire, by smbd and by the tracers")
    if counts.ends_what_is_left(tree):
        counts.end_what_is_left(requests)
    counts.compare_counts(requests, profile, tsmbd,
                          counts.by_bpftrace(texts["smb2.bt"]))
    counts.show_rare(requests)
    if tsmbd:
        counts.compare_errors(requests, texts["json"])
        counts.compare_metrics(tsmbd, texts["metrics"])
        title("requests, errors and time by tsmbd and by sdtkit top")
        spans.compare(requests, spans.by_top(texts["top"]), tsmbd)
    if profile and tsmbd:
        title("time by smbd's profiling, and by tsmbd")
        counts.show_times(profile, tsmbd)
    if limits.module(tree):
        title("a share with limits: what waits, by smbd's log and the probes")
        limits.show(tree, BUILD)
    if handles.has(tree):
        title("handles that are kept for a client that is away")
        handles.show(tree, BUILD, library)
    if winbind.built(tree):
        title("winbindd: requests and calls, by its log and the probes")
        winbind.show(tree, BUILD)
    return True


def record(tree):
    """The flight recorder, which needs neither root nor BPF; smbd needs
    root."""
    why = None
    if os.geteuid() != 0:
        why = "not root, so smbd cannot run"
    elif not shutil.which("smbclient"):
        why = "smbclient is not installed"
    if why:
        missing("the flight recorder: " + why)
        return
    title("smbd with a flight recorder: a child is killed")
    recorder.show(tree, BUILD, FILES)
    title("the same smbd, run by sdtkit trace: a child is killed")
    recorder.show_traced(tree, BUILD, FILES)


def main(argv):
    parser = argparse.ArgumentParser(
        description="Builds an smbd with probes and traces it.")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--samba", metavar="VERSION", help="which Samba: 4.17 "
                       "or 4.22 as Debian 12 and 13 have it, a suite of "
                       "Debian such as sid, or master, 4.24 or 4.24.5 of "
                       "Samba's own repository; default: Debian's, of the "
                       "suites that apt has here")
    which.add_argument("--tree", type=pathlib.Path,
                       help="a tree with probes that is built already")
    parser.add_argument("--without", action="append", default=[],
                        choices=("ctdb", "tevent"), help="the tree was built "
                        "without its probes, with the system's libtevent say")
    options = parser.parse_args(argv)
    try:
        which = source.wanted(options.samba)
        title("Samba with probes")
        tree = options.tree or source.build(CACHE, PROFILING, which)
        tree = tree.resolve()
        if not winbind.built(tree):
            options.without.append("winbind")
        files = holders(tree, options.without)
        check(tree, files, options.without)
        traced = trace(tree, files)
        record(tree)
        if traced:
            title("smbd counts by itself, and so does the kernel")
            recorder.show_counted(tree, BUILD, FILES)
    except (source.Failed, OSError) as error:
        print("\nsamba: %s" % error, file=sys.stderr)
        return 1
    title("Success: patched, built, checked" + (
        ", traced, counts equal" if traced else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
