# SPDX-License-Identifier: BSD-2-Clause
"""A share with persistent handles (Samba 4.25 and later): who opens a file
that is kept for a client that is away, by the probe and by tsmbd.

    if handles.has(tree):
        handles.show(tree, build, library)

A client opens two files with persistent handles and vanishes: one file without
a lease, which nobody else may open while its handle is kept, and one with a
lease for reading and the handle, which others may overwrite: the client has to
give its lease up when it is back. A second client does both, and opens a third
file that nobody keeps. (smbd grants more than a lease for reading there only if
the configuration says so.)
"""

import json
import pathlib
import re
import tempfile

import client
import server
import source
import tracer

SOURCE = "source3/smbd/open.c"
SHARE = """	persistent handles = yes
[kept]
	path = {top}/share
	read only = no
	guest ok = yes
	force user = root
	continuous availability = yes
	kernel oplocks = no
	kernel share modes = no
	posix locking = no
	smb3 ca:max lease mask = RWH
	smb3 ca so:max lease mask = RWH
"""
NOT_AVAILABLE = 0xc0000467
SCRIPT = """BEGIN { printf("Tracing\\n") }
smblock:handle_kept {
	printf("kept %s %u %d\\n", args.file, args.lease_state, args.refused)
}
"""
LEASE = client.READ | client.HANDLE
# file, lease state of the handle, whether the second open fails
RIGHT = [("alone", 0, 1), ("leased", LEASE, 0)]


def has(tree):
    """Whether this Samba tells of kept handles."""
    return "HANDLE_KEPT" in (tree / SOURCE).read_text(
        encoding="utf-8", errors="replace")


def first(port):
    """The client that leaves its handles behind."""
    one = client.Client(port, "kept")
    for name, lease, _ in RIGHT:
        answer = one.create(name, lease=lease, persistent=True)
        if answer != client.Answer(0, True, lease):
            raise source.Failed("no persistent handle of %s: %s" % (
                name, answer))
    one.leave()


def second(port):
    """The client that comes upon them; other files are as always."""
    one = client.Client(port, "kept")
    found = [one.create(name, disposition=client.OVERWRITE_IF).status
             for name in ("alone", "leased", "other")]
    if found != [NOT_AVAILABLE, 0, 0]:
        raise source.Failed("the opens ended with %s" % [
            "0x%x" % status for status in found])
    one.leave()


def compare(script, report):
    """Raises Failed unless both tell of the two files."""
    told = [(file, int(lease), int(refused)) for file, lease, refused in
            re.findall(r"^kept (\S+) (\d+) (\d)$", script, re.M)]
    if told != RIGHT:
        raise source.Failed("smblock:handle_kept has %s" % told)
    creates = next(one for one in
                   json.loads(report.strip().split("\n")[-1])["operations"]
                   if one["opcode"] == client.CREATE)
    numbers = creates["count"], creates["kept"], creates["refused"]
    print("opens: %d, of files that are kept for a client: %d, refused: %d" %
          numbers)
    if numbers != (3, 2, 1):
        raise source.Failed("tsmbd has %d opens, %d kept, %d refused" %
                            numbers)


def trace(smbd, top, build, library):
    """{tracer: output}, from after the first client has gone."""
    others = smbd.children()
    first(smbd.port)
    smbd.wait_for_goodbye(others)
    script = top / "kept.bt"
    script.write_text(SCRIPT)
    # a name without the + of Debian's trees, which bpftrace does not take
    link = top / "library.so"
    link.symlink_to(library)
    with tracer.running((
            ("bt", [build / "lib/tool/sdtkit", "bt", script, link],
             "Tracing"),
            ("tsmbd", [build / "lib/tsmbd/tsmbd", "--json", "-p",
                       str(smbd.process.pid)], "Collecting")), top) as texts:
        second(smbd.port)
        smbd.wait_for_goodbye(others)
    return texts


def show(tree, build, library):
    """Raises Failed if the probe or tsmbd tells something else."""
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        smbd = server.Smbd(tree, top, more=SHARE.format(top=top))
        try:
            texts = trace(smbd, top, build, library)
        finally:
            smbd.stop()
    compare(texts["bt"], texts["tsmbd"])
