# SPDX-License-Identifier: BSD-2-Clause
"""What scripts print that call arguments by their names, as those that
probegen writes do:

    store:request_done req.mid=7 req.user=root status=0
"""

import json
import re


def names(program, expressions, probe, between):
    """How the expressions of "store2:request_done" are called; ``between`` is
    what stands between the names of a record and of its member."""
    manifest = json.loads((program.folder / "store2.json").read_text())
    args = {one["name"]: one["args"]
            for one in manifest["providers"][0]["probes"]}
    called = [args[probe.split(":")[1]][one.index]["name"]
              for one in expressions]
    return [name + between + one.member.name if one.member else name
            for name, one in zip(called, expressions)]


def hits(said, start, called, expressions):
    """The hits of the lines that begin so."""
    pattern = "^%s%s$" % (start, "".join(" %s=(.*)" % re.escape(name)
                                         for name in called))
    return [[text if one.string else int(text, 0)
             for text, one in zip(line.groups(), expressions)]
            for line in re.finditer(pattern, said, re.M)]
