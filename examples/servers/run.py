#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""run.py - a server of Debian with probes, from its source to a report.

    ./dev server redis|mosquitto  or  examples/servers/run.py redis|mosquitto

1. Debian's source package is fetched, and built twice: as it is, and with the
   lines of probes.patch.
2. `sdtkit check` holds what was built against the description.
3. A test with libsdtkit-tap runs in the server.
4. The server runs under `sdtkit trace`, and clients do all that has probes;
   what its probes have told has to equal what the server has counted itself.
5. The same with `sdtkit top`, which needs root and BPF; where the server
   measures times, top's may not be shorter.
6. The server counts its spans by itself, while the kernel counts them, too:
   both have the same numbers, and distributions that are a slot apart at most.

docs/servers.md tells what to copy for a server of one's own.

    run.py NAME --diff    prints the patch that makes the tree `probes` of the
                          unpatched one: for whoever adds probes to the tree

Environment: SDTKIT_BUILD, where sdtkit is built; SDTKIT_SERVERS, where sources
and builds are kept (servers below that). With SDTKIT_REQUIRE_TRACERS=1 it is
an error if the fifth and the sixth part are left out.

Exit status: 0 if all was well, 1 if something was not.
"""

import argparse
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "samba"))

import prepare  # noqa: E402
import source   # noqa: E402
import spans    # noqa: E402
import tracer   # noqa: E402
import ways     # noqa: E402

BUILD = pathlib.Path(os.environ.get(
    "SDTKIT_BUILD", prepare.SDTKIT / "build")).resolve()
CACHE = pathlib.Path(os.environ.get(
    "SDTKIT_SERVERS", BUILD / "servers")).resolve()
SDTKIT = BUILD / "lib/tool/sdtkit"
NAMES = ["redis", "mosquitto"]
REQUESTS = 300
# libsdtkit-tap has 4 KiB of thread-local storage, and its signal handler needs
# it where ld.so reserves little for libraries that are loaded later
TLS = "glibc.rtld.optional_static_tls=16384"


def title(text):
    print("\n== %s" % text, flush=True)


def load(name):
    """The module NAME_server.py of a server's directory."""
    sys.path.insert(0, str(HERE / name))
    return importlib.import_module(name + "_server")


def check(server, tree):
    title("sdtkit check")
    done = subprocess.run([str(SDTKIT), "check", str(tree / server.BINARY),
                           "--description", str(server.HERE / server.DESCRIPTION),
                           "--werror"])
    if done.returncode:
        raise source.Failed("sdtkit check: exit status %d" % done.returncode)


def tap(server, tree, top):
    """Builds the server's plug-in that uses libsdtkit-tap, and runs it."""
    title("a test with libsdtkit-tap in %s" % server.NAME)
    plugin = top / "tap_test.so"
    source.call(
        [os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-g", "-Wall",
         "-I", prepare.SDTKIT / "include", *server.plugin_flags(tree),
         server.HERE / "tap_test.c", BUILD / "lib/tap/libsdtkit-tap.a",
         "-o", plugin], top / "tap_test.log")
    server.tap_test(tree, top, plugin, dict(os.environ, GLIBC_TUNABLES=TLS))
    print("all probes fired as expected")


def read_events(path):
    """Returns the hits in the file of sdtkit trace, each with the values of
    its arguments by name, in the order of time."""
    events = []
    for line in path.read_text().split("\n"):
        fields = json.loads(line) if line else {}
        if fields.get("lost"):
            raise source.Failed("sdtkit trace has lost hits: %s" % line)
        if "probe" in fields:
            event = {argument["name"]: argument.get("value")
                     for argument in fields["arguments"]}
            event.update(probe=fields["probe"], at=fields["time"])
            events.append(event)
    return sorted(events, key=lambda event: event["at"])


def table(what, theirs, ours, who):
    """Prints two columns; raises Failed unless ours are among theirs."""
    wrong = {name for name, value in ours.items() if theirs.get(name) != value}
    print("%-36s%14s%16s" % (what, "the server", who))
    for name in sorted(ours, key=str):
        print("%-36s%14s%16s%s" % (name, theirs.get(name), ours[name],
                                   "   WRONG" if name in wrong else ""))
    if wrong:
        raise source.Failed("%s: differs from what the server has counted: %s"
                            % (who, ", ".join(sorted(map(str, wrong)))))


def trace(server, tree, top):
    title("%s under sdtkit trace" % server.NAME)
    log = top / "events"
    running = server.Server(tree, top, prefix=[
        SDTKIT, "trace", "-q", "-j", "-o", log, "--"])
    try:
        server.drive(running, REQUESTS)
        numbers, commands = server.statistics(running)
    finally:
        running.stop()
    ours, calls = server.by_events(read_events(log))
    table("", numbers, ours, "sdtkit trace")
    compare_calls(commands, calls, "sdtkit trace")


def compare_calls(theirs, ours, who):
    """Calls and failures of each command are equal."""
    if theirs:
        table("command: calls, failed",
              {name: row[:2] for name, row in theirs.items()},
              {name: row[:2] for name, row in ours.items()}, who)
        if set(theirs) != set(ours):
            raise source.Failed("%s lacks %s" % (who, set(theirs) - set(ours)))


def compare_times(server, theirs, ours):
    """top's spans enclose what the server measures; that is the difference of
    two times in whole microseconds, so it may be almost 1 us too much."""
    for name, (calls, _, usec) in sorted(theirs.items()):
        if name in server.BLOCKING:
            continue
        more = (ours[name][2] - usec) / calls
        print("%-36s%11.1f us%13.1f us%+8.1f us for a call" % (
            name, usec / calls, ours[name][2] / calls, more))
        if more < -1:
            raise source.Failed("%s took %d us, and sdtkit top has only %d" % (
                name, usec, ours[name][2]))


def missing(why):
    """Prints what is left out; fails if tracers are required."""
    if os.environ.get("SDTKIT_REQUIRE_TRACERS") == "1":
        raise source.Failed(why)
    print("left out: %s" % why, flush=True)


def watch(server, tree, top):
    """sdtkit top, or None where it cannot trace."""
    title("%s under sdtkit top" % server.NAME)
    if os.geteuid() != 0:
        missing("sdtkit top needs root")
        return None
    try:
        return tracer.Tracer(
            [SDTKIT, "top", "--json", tree / server.BINARY] + server.TOP,
            top / "top", "Collecting")
    except source.Failed as error:
        missing(str(error))
        return None


def measure(server, tree, top):
    """Whether it could; raises Failed if counts differ."""
    watching = watch(server, tree, top)
    if watching is None:
        return False
    try:
        running = server.Server(tree, top)
        try:
            server.drive(running, REQUESTS)
            watching.interrupt()
            text = watching.stop()
            numbers, commands = server.adjust(*server.statistics(running))
        finally:
            running.stop()
    finally:
        watching.interrupt()
        watching.stop()
    report = spans.read(text, lambda total: total["span"] in server.STRICT)
    ours, calls = server.by_top(report)
    table("", numbers, ours, "sdtkit top")
    compare_calls(commands, calls, "sdtkit top")
    if commands:
        title("the time of a call: by the server, and by sdtkit top")
        compare_times(server, commands, calls)
    title("what sdtkit top tells of it")
    show(report)
    return True


def spans_of(server):
    """What sdtkit top counts that is a span."""
    return [word for word in server.TOP
            if word.split(":")[1] not in server.HITS]


def count_both_ways(server, tree, top):
    title("%s counts by itself, and so does the kernel" % server.NAME)
    words = spans_of(server)
    running = server.Server(tree, top, environment=dict(
        os.environ, **ways.preloaded(BUILD, top, ",".join(words))))
    try:
        with tracer.running(ways.tops(BUILD, running.pid(), words),
                            top) as texts:
            server.drive(running, REQUESTS)
            running.stop()      # it may not have seen that a client has left
    finally:
        running.stop()
    ways.compare(*(ways.report(texts[way]) for way in ways.WAYS))


def show(report):
    print("%-14s%-26s%8s%8s%10s%10s%10s" % (
        "SPAN", "NAME", "COUNT", "ERRORS", "P50 us", "P99 us", "MAX us"))
    for row in report["spans"]:
        print("%-14s%-26s%8d%8s%10.1f%10.1f%10.1f" % (
            row["span"], row["name"] or "", row["count"],
            row.get("errors", "-"), row["p50_us"], row["p99_us"],
            row["max_us"]))


def arguments(argv):
    parser = argparse.ArgumentParser(
        description="Builds a server of Debian with probes and traces it.")
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--diff", action="store_true",
                        help="print what was changed in the tree `probes`")
    return parser.parse_args(argv)


def run(server):
    title("%s with probes" % server.NAME)
    tree = prepare.prepare(server, CACHE / server.NAME)["probes"]
    check(server, tree)
    with tempfile.TemporaryDirectory() as directory:
        folders = [pathlib.Path(directory) / name
                   for name in ("tap", "trace", "top", "ways")]
        for folder in folders:
            folder.mkdir()
        tap(server, tree, folders[0])
        trace(server, tree, folders[1])
        traced = measure(server, tree, folders[2])
        if traced:
            count_both_ways(server, tree, folders[3])
    title("Success: patched, built, checked, tested%s, counts equal" % (
        ", traced" if traced else ""))


def main(argv):
    options = arguments(argv)
    server = load(options.name)
    try:
        if options.diff:
            print(prepare.difference(server, CACHE / server.NAME), end="")
        else:
            run(server)
    except (source.Failed, OSError) as error:
        print("\n%s: %s" % (options.name, error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
