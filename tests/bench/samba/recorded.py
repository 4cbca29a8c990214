# SPDX-License-Identifier: BSD-2-Clause
"""The arm "recorder": an smbd that records its own probes, with
libsdtkit-recorder preloaded. It is started anew when the arm begins and ends.

It says on standard error how many hits a file takes. With the price of a hit
(tests/bench/record.py) that is what to expect.
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
PROBES = ("smb2:*,!smb2:request_summary,!smb2:request_details,smbnet:*,"
          "vfs:*")
MEMORY = "/dev/shm"	# where a recorder's file is, unless it is told
# enough for the hits of 200 files; a thread has all of its ring in memory
OPTIONS = "ring=2M,size=256M,dir="
LIMIT = 60


class Recorded:
    def __init__(self, server):
        self.server = server
        self.top = pathlib.Path(tempfile.mkdtemp(dir=MEMORY))
        server.restart({
            "LD_PRELOAD": LIBRARY.name,
            "LD_LIBRARY_PATH": str(LIBRARY.parent), "SDTKIT_RECORDER": PROBES,
            "SDTKIT_RECORDER_OPTIONS": OPTIONS + str(self.top)})
        server.upload()		# caches are warm after that
        self.before = self.hits()

    def hits(self):
        """{probe: hits} in the file."""
        (file,) = self.top.glob("sdtkit-recorder-*")
        said = subprocess.run(
            [str(COMMAND), "trace", "--snapshot", str(file), "-q", "-c", "-j"],
            check=True, stdout=subprocess.PIPE, text=True,
            timeout=LIMIT).stdout
        lines = list(map(json.loads, said.splitlines()))
        if any(line.get("lost") for line in lines):
            raise Failed("the recorder has lost hits: " + said)
        return {"%s:%s" % (line["provider"], line["probe"]): line["hits"]
                for line in lines if "probe" in line}

    def stop(self, files):
        more = {probe: hits - self.before.get(probe, 0)
                for probe, hits in self.hits().items()}
        self.server.restart({})
        self.server.upload()
        shutil.rmtree(str(self.top))
        if more.get("smb2:write_start") != files:
            raise Failed("the recorder has not seen %d files: %s" % (files,
                                                                     more))
        print("recorder: %.1f hits a file" % (sum(more.values()) / files),
              file=sys.stderr, flush=True)
