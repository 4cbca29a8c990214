#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""winbindd with the probes, as a standalone server whose domain is its own:
what clients asked and what children did, by its log and by the probes.

    winbind.py TREE		# a tree in which winbindd and wbinfo were built

wbinfo asks for users, groups, names, SIDs and IDs, checks the connections, and
logs in, once with a wrong password. winbindd's log of level 10 has each
request, its result, and each call that a child runs: sdtkit top has to tell the
same of each name.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import server
import source
import spans
import tracer

BUILD = pathlib.Path(os.environ.get(
    "SDTKIT_BUILD", source.SDTKIT / "build")).resolve()
SETTINGS = """	netbios name = LOCAL
	log level = 10
	winbindd socket directory = {top}/socket
	idmap config * : range = 100000-200000
	winbind enum users = yes
	winbind enum groups = yes
"""
# wbinfo has the name of the socket compiled in. It takes another one if this
# says that Samba's tests run it.
HOOK = "int nss_wrapper_enabled(void) { return 1; }\n"
USER, PASSWORD = "LOCAL\\" + server.USER, server.PASSWORD
LOAD = [word.split() for word in """-p
--own-domain
--all-domains
--separator
-D LOCAL
-u
-g --domain=BUILTIN
-i {user}
-n {user}
-n LOCAL\\nobody
-s S-1-5-32-544
--sids-to-unix-ids=S-1-5-32-544,S-1-5-32-545
--sid-to-gid=S-1-5-32-544
--gid-to-sid=100000
--uid-to-sid=0
-i LOCAL\\nobody
-r {user}
--user-sids=S-1-22-1-1
-a {user}%{password}
-a {user}%wrong
-P""".format(user=USER, password=PASSWORD).split("\n")]
ROUNDS = 10
SPANS = ["request", "call", "run"]
FINE = ["NT_STATUS_OK", "NT_STATUS_NO_MORE_ENTRIES"]


def built(tree):
    return all((tree / "bin" / name).exists()
               for name in ("winbindd", "wbinfo"))


class Winbindd(server.Smbd):
    """Its log is top/smbd.log."""

    def __init__(self, tree, top):
        (top / "socket").mkdir()
        self.socket = top / "socket" / "pipe"
        self.hook = top / "hook.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o",
                        str(self.hook)], input=HOOK.encode(), check=True)
        super().__init__(tree, top, more=SETTINGS.format(top=top))

    def words(self, *command):
        return [str(self.tree / "bin/winbindd")] + list(map(str, command[1:]))

    def listens(self):
        return self.socket.exists()

    def ask(self, *words):
        """Runs wbinfo, which may fail."""
        subprocess.run(
            ["timeout", "60", str(self.tree / "bin/wbinfo"), *words], env=dict(
                os.environ, LD_PRELOAD=str(self.hook),
                SELFTEST_WINBINDD_SOCKET_DIR=str(self.socket.parent)),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def logged(log):
    """{span: {name: [count, errors]}}; what is not known is None."""
    found = {span: collections.defaultdict(lambda: [0, 0])
             for span in SPANS + ["status"]}
    for name in re.findall(r"Handling async request: (\w+)\n", log) + \
            re.findall(r"process_request: request fn (\w+)\n", log):
        found["request"][name][0] += 1
    for name, status in re.findall(r"\]?\(\d+\):(\w+)\]: (NT_STATUS_\w+)\n",
                                   log):
        found["request"][name][1] += status not in FINE
        found["status"][name][0] += 1
    for name in re.findall(r"Running command (\w+) \(domain", log):
        for span in ("call", "run"):
            found[span][name][0] += 1
    return found


def by_top(text):
    """The same."""
    found = {span: {} for span in SPANS}
    for row in spans.read(text)["spans"]:
        if row["count"]:
            found[row["span"]][row["name"]] = [row["count"], row["errors"]]
    return found


def compare(said, ours):
    """Prints a table; raises Failed unless the probes tell what the log does.
    What has no status in the log is not held to its errors."""
    wrong = []
    print("%-8s %-24s %8s %8s %8s %8s" % (
        "", "", "log", "probes", "errors", "probes"))
    for span in SPANS:
        for name in sorted(set(said[span]) | set(ours[span])):
            theirs, mine = said[span].get(name, [0, 0]), ours[span].get(
                name, [0, 0])
            has_status = name in said["status"]
            print("%-8s %-24s %8d %8d %8s %8d" % (
                span, name, theirs[0], mine[0],
                theirs[1] if has_status else "-", mine[1]))
            if theirs[0] != mine[0] or has_status and theirs != mine:
                wrong.append(name)
    if wrong or not said["request"] or not said["run"]:
        raise source.Failed("not what winbindd's log has: %s" % wrong)


def show(tree, build):
    """Raises Failed if the probes tell other requests than winbindd's log."""
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        winbindd = Winbindd(tree, top)
        try:
            for words in LOAD:	# children are started by what needs them
                winbindd.ask(*words)
            before = winbindd.log.stat().st_size
            with tracer.running([("top", [
                    build / "lib/tool/sdtkit", "top", "--json", "-p",
                    winbindd.pid(), *("winbind:" + s for s in SPANS)],
                    "Collecting")], top) as texts:
                for words in LOAD * ROUNDS:
                    winbindd.ask(*words)
        finally:
            winbindd.stop()
        with open(str(winbindd.log), errors="replace") as file:
            file.seek(before)
            said = logged(file.read())
    compare(said, by_top(texts["top"]))


if __name__ == "__main__":
    try:
        show(pathlib.Path(sys.argv[1]).resolve(), BUILD)
    except (source.Failed, IndexError, OSError) as error:
        sys.exit("winbind.py: %s" % error)
