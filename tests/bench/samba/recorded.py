# SPDX-License-Identifier: BSD-2-Clause
"""The arm "recorder": an smbd that records its own probes, with
libsdtkit-recorder preloaded. It is started anew when the arm begins and ends.

It says on standard error how many hits a file takes. With the price of a hit
(tests/bench/record.py) that is what to expect. They are counted before, with
rings that keep all hits of an upload: each page of a ring that is written for
the first time costs a page fault, which a server pays once and not for each
file. What is measured has the rings of 256 KiB that a recorder has by default.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from smbd_server import SDTKIT, Failed

BUILD = pathlib.Path(os.environ.get(
    "SDTKIT_BUILD", SDTKIT / "build")).resolve()
LIBRARY = BUILD / "lib" / "record" / "libsdtkit-recorder.so"
COMMAND = BUILD / "lib" / "tool" / "sdtkit"
ARM = "recorder"
# what they tell, the probes of each step tell too
PROBES = ("smb2:*,!smb2:request_summary,!smb2:request_details,"
          "!smb2:request_notes,smbnet:*,vfs:*")
MEMORY = "/dev/shm"	# where a recorder's file is, unless it is told
# enough for the hits of 200 files
ALL = "ring=2M,size=256M,"
LIMIT = 60


class Recorded:
    def __init__(self, server):
        self.server = server
        self.top = pathlib.Path(tempfile.mkdtemp(dir=MEMORY))
        self.start(ALL)
        before = self.hits()
        server.upload()
        self.more = {probe: hits - before.get(probe, 0)
                     for probe, hits in self.hits().items()}
        self.start("")

    def start(self, options):
        """With a recorder; caches are warm after that."""
        for file in self.top.iterdir():
            file.unlink()
        self.server.restart({
            "LD_PRELOAD": LIBRARY.name,
            "LD_LIBRARY_PATH": str(LIBRARY.parent), "SDTKIT_RECORDER": PROBES,
            "SDTKIT_RECORDER_OPTIONS": options + "dir=%s" % self.top})
        self.server.upload()

    def hits(self):
        """{probe: hits} in the file."""
        (file,) = self.top.glob("sdtkit-recorder-*")
        said = subprocess.run(
            [str(COMMAND), "trace", "--snapshot", str(file), "-q", "-c", "-j"],
            check=True, stdout=subprocess.PIPE, text=True,
            timeout=LIMIT).stdout
        lines = list(map(json.loads, said.splitlines()))
        return {"%s:%s" % (line["provider"], line["probe"]): line["hits"]
                for line in lines if "probe" in line}

    def stop(self, _):
        last = self.hits().get("smb2:write_start", 0)
        self.server.restart({})
        self.server.upload()
        shutil.rmtree(str(self.top))
        one_upload = len(list(self.server.source.glob("d/*/*")))
        if not last or self.more.get("smb2:write_start") != one_upload:
            raise Failed("the recorder has not seen %d files: %s" % (
                one_upload, self.more))
        print("recorder: %.1f hits a file" %
              (sum(self.more.values()) / one_upload), file=sys.stderr,
              flush=True)
