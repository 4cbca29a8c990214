# SPDX-License-Identifier: BSD-2-Clause
"""The arm "recorder": an smbd that records its own probes, with
libsdtkit-recorder preloaded. It is started anew when the arm begins and ends.
"""

import os
import pathlib

from smbd_server import SDTKIT, Failed

BUILD = pathlib.Path(os.environ.get("SDTKIT_BUILD", SDTKIT / "build")).resolve()
LIBRARY = BUILD / "lib" / "record" / "libsdtkit-recorder.so"
ARM = "recorder"
PROBES = "smb2:*,smbnet:*,vfs:*"


class Recorded:
    def __init__(self, server):
        self.server = server
        self.top = server.top / "recorder"
        self.top.mkdir(exist_ok=True)
        server.restart({
            "LD_PRELOAD": str(LIBRARY), "SDTKIT_RECORDER": PROBES,
            "SDTKIT_RECORDER_OPTIONS": "dir=%s" % self.top})
        server.upload()		# caches are warm after that

    def stop(self, _):
        recorded = [path for path in self.top.iterdir()
                    if path.stat().st_blocks > 0]
        self.server.restart({})
        self.server.upload()
        if not recorded:
            raise Failed("smbd has recorded nothing into %s" % self.top)
