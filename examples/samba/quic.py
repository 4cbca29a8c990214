#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""SMB over QUIC: which handshakes the clients and the log of smbd tell of, and
which ones the probes.

    quic.py TREE		# of Samba 4.23 or later

The tree is configured with --enable-selftest, and smbd/smbd, client/smbclient,
socket_wrapper and quic_ko_wrapper are built. Linux has no QUIC yet: as Samba's
own tests do, this preloads the last two, which have it in the process.

The certificate of smbd has the name of the host, and clients ask for localhost.
Some do not compare the names; those that do leave during the handshake, which
smbd may have ended by then.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import server
import source
import tracer

BUILD = pathlib.Path(os.environ.get(
    "SDTKIT_BUILD", source.SDTKIT / "build")).resolve()
WRAPPERS = ["quic_ko_wrapper/libquic-ko-wrapper.so",
            "socket_wrapper/libsocket-wrapper.so"]
SETTINGS = """	server smb transports = quic:1443
	log level = 1
"""
FAILED = r"tstream_tls_quic_handshake\(\d+\): (NT_STATUS_\w+)"
GOOD, MOST = 5, 50	# clients
QUIC = 3


class Smbd(server.Smbd):
    """An smbd whose sockets are files in a directory."""

    def listens(self):
        return any(self.configuration.parent.glob("sockets/*"))


def environment(tree, top):
    """The variables by which a program has QUIC."""
    paths = [str(tree / "bin/default/third_party" / name)
             for name in WRAPPERS]
    for path in paths:
        if not os.path.exists(path):
            raise source.Failed("%s: build it first" % path)
    return dict(os.environ, LD_PRELOAD=":".join(paths), QUIC_KO_WRAPPER="1",
                SOCKET_WRAPPER_DIR=str(top / "sockets"),
                SOCKET_WRAPPER_DEFAULT_IFACE="1")


def said(one):
    """The errors of handshakes that smbd has logged."""
    return re.findall(FAILED, one.log.read_text(errors="replace"))


def run_client(tree, top, verify):
    """Lists the share; how smbclient has ended."""
    return subprocess.run(
        [tree / "bin/smbclient", "--configfile=%s" % (top / "smb.conf"),
         "--option=clientsmbtransports=quic:1443",
         "--option=tlsverifypeer=" + verify, "//localhost/share", "-N",
         "-I", "127.0.0.1", "-c", "ls"], env=environment(tree, top),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True)


def run_clients(tree, top, smbd):
    """Runs clients until a handshake has failed; returns how many."""
    others = smbd.children()
    for _ in range(GOOD):
        done = run_client(tree, top, "ca_only")
        if done.returncode:
            raise source.Failed("smbclient: " + done.stdout[-1000:])
    for count in range(1, MOST):
        run_client(tree, top, "ca_and_name")
        smbd.wait_for_goodbye(others)
        if said(smbd):
            return GOOD + count
    raise source.Failed("no handshake has failed")


def traced(lines):
    """How many handshakes began, how many succeeded and failed, and how many
    connections were by QUIC."""
    found = collections.Counter()
    for line in lines.splitlines():
        hit = json.loads(line)
        values = {one["name"]: one["value"]
                  for one in hit.get("arguments", [])}
        if hit.get("probe") == "handshake_start":
            found["begin"] += 1
        elif hit.get("probe") == "handshake_done":
            found["fail" if values["status"] else "succeed"] += 1
        elif hit.get("probe") == "transport":
            found["connection"] += values["transport"] == QUIC
    return found


def compare(begun, failed, ours):
    """Prints a table; raises Failed unless the probes tell the same."""
    theirs = {"begin": begun, "fail": failed, "succeed": begun - failed,
              "connection": begun - failed}
    print("%-12s %12s %8s" % ("", "clients, log", "probes"))
    for name, count in theirs.items():
        print("%-12s %12d %8d" % (name, count, ours[name]))
    if theirs != ours:
        raise source.Failed("the probes tell something else")


def show(tree, build):
    """Raises Failed if the probes tell something else."""
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        for name in "private/tls", "sockets":
            (top / name).mkdir(parents=True)
        one = Smbd(tree, top, environment(tree, top), SETTINGS)
        try:
            with tracer.running([("trace", [
                    build / "lib/tool/sdtkit", "trace", "--via=kernel",
                    "--json", "-q", "-p", one.pid(), "smbnet:handshake_*",
                    "smbnet:transport"], "sdtkit_trace")], top) as texts:
                begun = run_clients(tree, top, one)
        finally:
            one.stop()
        compare(begun, len(said(one)), traced(texts["trace"]))


if __name__ == "__main__":
    try:
        show(pathlib.Path(sys.argv[1]).resolve(), BUILD)
    except (source.Failed, IndexError, OSError) as error:
        sys.exit("quic.py: %s" % error)
