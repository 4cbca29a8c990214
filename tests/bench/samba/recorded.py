# SPDX-License-Identifier: BSD-2-Clause
"""The arms "recorder" and "counted": an smbd that records its own probes, or
counts its own spans of smb2, with libsdtkit-recorder preloaded. It is started
anew when the arm begins and ends.

They say on standard error how many hits a file takes. With the price of a hit
(tests/bench/record.py, count.py) that is what to expect. Those of "recorder"
are counted before, with rings that keep all hits of an upload: each page of a
ring that is written for the first time costs a page fault, which a server pays
once and not for each file. What is measured has the rings of 256 KiB that a
recorder has by default.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from smbd_server import SDTKIT, Failed
import ways

BUILD = pathlib.Path(os.environ.get(
    "SDTKIT_BUILD", SDTKIT / "build")).resolve()
LIBRARY = BUILD / "lib" / "record" / "libsdtkit-recorder.so"
COMMAND = BUILD / "lib" / "tool" / "sdtkit"
# what they tell, the probes of each step tell too
PROBES = ("smb2:*,!smb2:request_summary,!smb2:request_details,"
          "!smb2:request_notes,smbnet:*,vfs:*")
SPANS = "smb2:*"
MEMORY = "/dev/shm"	# where a recorder's file is, unless it is told
# enough for the hits of 200 files
ALL = "ring=2M,size=256M,"
LIMIT = 60


class Preloaded:
    """One with the library, whose files are in a directory."""

    def __init__(self, server):
        self.server = server
        self.top = pathlib.Path(tempfile.mkdtemp(dir=MEMORY))

    def start(self, more):
        """With these variables; caches are warm after that."""
        for file in self.top.iterdir():
            file.unlink()
        self.server.restart(more)
        self.server.upload()

    def end(self, name, writes, hits):
        """Raises Failed unless there was a WRITE for each file."""
        self.start({})
        shutil.rmtree(str(self.top))
        files = len(list(self.server.source.glob("d/*/*")))
        if writes != files:
            raise Failed("%s: %d WRITEs for %d files" % (name, writes, files))
        print("%s: %.1f hits a file" % (name, hits / files), file=sys.stderr,
              flush=True)


class Recorded(Preloaded):
    def __init__(self, server):
        super().__init__(server)
        self.record(ALL)
        before = self.hits()
        server.upload()
        self.more = {probe: hits - before.get(probe, 0)
                     for probe, hits in self.hits().items()}
        self.record("")

    def record(self, options):
        self.start({
            "LD_PRELOAD": LIBRARY.name,
            "LD_LIBRARY_PATH": str(LIBRARY.parent), "SDTKIT_RECORDER": PROBES,
            "SDTKIT_RECORDER_OPTIONS": options + "dir=%s" % self.top})

    def hits(self):
        """{probe: hits} in the file."""
        (file,) = self.top.glob("sdtkit-recorder-*")
        said = subprocess.run(
            [str(COMMAND), "trace", "--snapshot", str(file), "-q", "--totals",
             "-j"],
            check=True, stdout=subprocess.PIPE, text=True,
            timeout=LIMIT).stdout
        lines = list(map(json.loads, said.splitlines()))
        return {"%s:%s" % (line["provider"], line["probe"]): line["hits"]
                for line in lines if "probe" in line}

    def stop(self, _):
        if not self.hits().get("smb2:write_start"):
            raise Failed("the recorder has not seen the last files")
        self.end("recorder", self.more.get("smb2:write_start", 0),
                 sum(self.more.values()))


class Counted(Preloaded):
    def __init__(self, server):
        super().__init__(server)
        self.start(ways.preloaded(BUILD, self.top, SPANS))

    def stop(self, _):
        """Counts an upload more, which is not measured."""
        command = ways.top_command(BUILD, self.server.pid, "recorder", [SPANS])
        with subprocess.Popen(list(map(str, command)), text=True,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as top:
            said = top.stderr.readline()
            self.server.upload()
            top.send_signal(signal.SIGINT)
            text, rest = top.communicate(timeout=LIMIT)
        if not text:
            raise Failed(said + rest)
        totals = {total["span"]: total for total in
                  ways.report(text)["totals"]}
        self.end("counted", totals["write"]["ended"],
                 sum(total["ended"] + (total["started"] or 0)
                     for total in totals.values()))


ARMS = {"recorder": Recorded, "counted": Counted}
