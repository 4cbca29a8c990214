#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes docs/tsmbd-page.png and docs/tsmbd-page-dark.png: the page about the
demo server, while two clients copy files.

    tests/services/page_pictures.py BUILD FOLDER [SECONDS]

Needs root, chromium and pngquant. The pictures are written to the folder.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "demo"), str(TESTS / "tsmbd")]

from chromium import Browser        # noqa: E402
from demo_server import Server      # noqa: E402
import demo_wire as w               # noqa: E402
from tsmbd_run import Tsmbd         # noqa: E402

WIDTH, HEIGHT = 1280, 1180
# what is at the upper edge of each picture
SHOWN = {"tsmbd-page.png": "chart-connections", "tsmbd-page-dark.png": "slow"}


def copy_files(server, seconds):
    """Two clients at once, again and again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        clients = [subprocess.Popen(
            [server.client_program, "--port", str(server.port),
             "--files", "200"], stdout=subprocess.DEVNULL) for _ in range(2)]
        for client in clients:
            client.wait()


def make_page(build, folder, seconds):
    page = folder / "page.html"
    server = Server(build, folder / "served", folder / "log")
    tracer = Tsmbd(build / "lib" / "tsmbd" / "tsmbd", "-p",
                   str(server.pid), "--html", str(page), "--slow=1",
                   "--flame", str(folder / "flame.svg"), "-F", "499",
                   into=folder / "reports")
    try:
        copy_files(server, seconds)
        tracer.stop()
    finally:
        tracer.end()
        server.stop()
    return page


# a few of the slow requests, and below them the flame graph
SHORTEN = """
    for (const row of [...document.querySelectorAll("#slow-table tbody tr")]
        .slice(6))
      row.remove();
    for (const id of ["waits", "tops"])
      document.getElementById(id).hidden = true;
    document.activeElement.blur();
"""


def select(tab):
    """A region of the slower requests of CREATE."""
    left, top, width, height = tab.box("#map-%d svg" % w.CREATE)
    tab.drag((left + width * 0.3, top + height * 0.2),
             (left + width * 0.45, top + height * 0.55))
    tab.run(SHORTEN)


def main():
    build, to = map(pathlib.Path, sys.argv[1:3])
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 90
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        page = make_page(build.resolve(), pathlib.Path(folder), seconds)
        for name, element in SHOWN.items():
            tab = browser.open(page.as_uri(), dark="dark" in name,
                               width=WIDTH, height=HEIGHT)
            select(tab)
            tab.run('document.getElementById("%s").scrollIntoView()' % element)
            (to / name).write_bytes(tab.screenshot())
            subprocess.run(["pngquant", "--force", "--ext", ".png", "48",
                            to / name], check=True)
            print(to / name, (to / name).stat().st_size, "bytes")


main()
