#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Draws docs/top-screen.svg from the screen of sdtkit top, with PostgreSQL
under pgbench:

    tests/top/screenshot.py BUILD OUTPUT.svg

Needs root, tmux and PostgreSQL.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.sax.saxutils
from shlex import quote

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
os.environ["SDTKIT_ALL"] = "1"      # which has PostgreSQL

import cluster as private       # noqa: E402
from terminal import Terminal   # noqa: E402

WIDTH, HEIGHT = 132, 14
CELL, LINE = 7.8, 17
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" \
viewBox="0 0 %d %d" role="img" aria-labelledby="title" \
font-family="DejaVu Sans Mono,Liberation Mono,Menlo,monospace" font-size="13">
<title id="title">sdtkit top: PostgreSQL under pgbench</title>
<style>
.paper{fill:#16181c}text{fill:#ddd;white-space:pre}.bar{fill:#ddd}
.bold{font-weight:bold;fill:#fff}.dim{fill:#999}.reverse{fill:#16181c}
.sorted{fill:#16181c;font-weight:bold;text-decoration:underline}
</style>
<rect class="paper" width="100%%" height="100%%" rx="6"/>
"""
# what draw.c uses: attributes of a terminal, and the class here
STYLES = {(): "", (1,): "bold", (2,): "dim", (7,): "reverse",
          (1, 4, 7): "sorted"}


def pieces(line, state):
    """Pieces of a line of "tmux capture-pane -e": column, text, attributes.
    The state goes on to the next line."""
    column = 0
    for code, text in re.findall(r"\x1b\[([0-9;]*)m|([^\x1b]+)", line):
        if text:
            yield column, text, tuple(sorted(state))
            column += len(text)
            continue
        for number in (int(word or 0) for word in code.split(";")):
            if number == 0:
                state.clear()
            elif number < 10:
                state.add(number)


def draw(lines):
    width, height = WIDTH * CELL + 20, HEIGHT * LINE + 16
    output = [HEAD % (width, height, width, height)]
    state = set()
    for row, line in enumerate(lines):
        y = 8 + row * LINE
        for column, text, attributes in pieces(line, state):
            x = 10 + column * CELL
            if 7 in attributes:
                output.append(
                    '<rect class="bar" x="%.1f" y="%d" width="%.1f" '
                    'height="%d"/>\n' % (x, y, len(text) * CELL, LINE))
            if text.strip():
                output.append(
                    '<text x="%.1f" y="%d" class="%s" textLength="%.1f" '
                    'xml:space="preserve">%s</text>\n' %
                    (x, y + 13, STYLES[attributes], len(text) * CELL,
                     xml.sax.saxutils.escape(text)))
    return "".join(output) + "</svg>\n"


def capture(build, cluster):
    source = pathlib.Path(__file__).resolve().parents[2]
    script = cluster.script("SELECT count(*) FROM pgbench_accounts;")
    with tempfile.TemporaryDirectory(prefix="sdtkit-") as place:
        terminal = Terminal(place, WIDTH, HEIGHT, {"LC_ALL": "C.UTF-8"})
        terminal.run("%s/lib/tool/sdtkit top --description "
                     "%s/examples/spans/postgresql.d %s transaction plan "
                     "execute sort lock lwlock buffer_read" %
                     (quote(str(build)), quote(str(source)),
                      cluster.server))
        try:
            terminal.until_there("q quit")
            other = subprocess.Popen(
                [str(cluster.bin / "pgbench"), "-n", "-T", "20", "-f", script,
                 *cluster.where()], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            cluster.pgbench("-c", "4", "-T", "3")
            worker = subprocess.Popen(
                [str(cluster.bin / "pgbench"), "-n", "-c", "4", "-T", "8",
                 *cluster.where()], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            time.sleep(4)
            lines = terminal.lines("-e")
            worker.wait()
            other.terminate()
            other.wait()
            terminal.type("q")
        finally:
            terminal.tmux("kill-server")
    return lines


def main():
    build, output = sys.argv[1:]
    cluster = private.Cluster()
    try:
        lines = capture(build, cluster)
    finally:
        cluster.close()
    pathlib.Path(output).write_text(draw(lines))


if __name__ == "__main__":
    main()
