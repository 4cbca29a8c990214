# SPDX-License-Identifier: BSD-2-Clause
"""price.py --instructions: counts what smbd executes for some files more.

valgrind counts instructions in user space exactly. An upload of one file is
subtracted from one of many, so that the start of smbd and the logon of the
client are not in the result.
"""

import re
import statistics

from smbd_server import Failed, Server, fill

COUNTED = (1, 201)      # files of the two uploads
RUNS = 3                # of each

# Stands for the smbd of a tree; each process leaves a file with its total.
COUNTER = """#!/bin/sh
exec valgrind -q --trace-children=yes --tool=callgrind \\
	--callgrind-out-file={top}/count.%p {smbd} "$@"
"""


def instructions(tree, top, source):
    """Returns the count of the process that serves a client."""
    (top / "bin").mkdir(parents=True)
    counter = top / "bin" / "smbd"
    counter.write_text(COUNTER.format(top=top, smbd=tree / "bin" / "smbd"))
    counter.chmod(0o755)
    server = Server(top, top / "served", source)
    try:
        server.upload()
    finally:
        server.smbd.stop()
    totals = []
    for path in top.glob("count.*"):
        total = re.search(r"^totals: (\d+)", path.read_text(), re.MULTILINE)
        if total and path.suffix != ".%d" % server.pid:
            totals.append(int(total.group(1)))
    if not totals:
        raise Failed("valgrind has counted nothing")
    return max(totals)


def count(trees, top, options):
    few, many = (fill(top / str(files), files, options.size,
                      options.directory) for files in COUNTED)
    means = {}
    for name, tree in trees.items():
        means[name] = statistics.mean(
            instructions(tree, top / ("%s.many.%d" % (name, number)), many) -
            instructions(tree, top / ("%s.few.%d" % (name, number)), few)
            for number in range(RUNS))
    print("| | instructions for %d files | |\n| --- | --- | --- |" % (
        COUNTED[1] - COUNTED[0]))
    for name, mean in means.items():
        print("| %s | %d | %+.2f %% |" % (
            name, mean, 100 * mean / next(iter(means.values())) - 100))
