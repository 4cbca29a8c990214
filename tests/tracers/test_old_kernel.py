# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd on Debian 12's kernel, Linux 6.1: its verifier believes less than that
of newer ones, it has no tracepoints of sockets, and no uprobe_multi."""

import re
import shutil

import pytest

from .vm import guest
from .test_reports import OPCODES, demo      # noqa: F401

OPTIONS = {
    "nothing": "",
    "everything": "-s -d --slow=0 --errors --exit --oplocks "
                  "--top=clients,users,shares,files --share=demo,other "
                  "--client=127.0.0.1 --user=guest",
}

SCRIPT = """
cd {folder}
/busybox ip link set lo up
./demo-server --port 4455 served >server.log 2>&1 & server=$!
./tsmbd -p $server {options} >report 2>messages & tracer=$!
until grep -q Collecting messages || ! kill -0 $tracer; do sleep 1; done
./demo-client --port 4455 --files 3 >client
sleep 1
kill -INT $tracer; wait $tracer || echo "tsmbd: $?"
kill $server
cat messages client report
"""


class Kernel:
    """As the fixture need() wants it."""
    OPT_IN = True
    lacks = staticmethod(guest.lacks)


@pytest.mark.parametrize("options", OPTIONS)
def test_counts(need, demo, tmp_path, options):     # noqa: F811
    need(Kernel)
    tsmbd = demo.parent / "tsmbd" / "tsmbd"
    if not tsmbd.exists():
        pytest.skip("tsmbd was not built")
    for path in tsmbd, demo / "demo-server", demo / "demo-client":
        shutil.copy(path, tmp_path)
    (tmp_path / "served").mkdir()
    status, said = guest.run(SCRIPT.format(folder=tmp_path,
                                           options=OPTIONS[options]), tmp_path)
    assert (status, "ok: 3 files" in said) == (0, True), said
    counted = {int(OPCODES[name]): int(count) for name, count in re.findall(
        r"^SMB2_OP_(\w+) +(\d+)(?: +\d+){10}$", said, re.M)}
    # of 3 files: written, read, looked at, deleted
    assert counted[OPCODES["WRITE"]] == counted[OPCODES["READ"]] == 3, said
    assert counted[OPCODES["CREATE"]] == counted[OPCODES["CLOSE"]], said
    assert "Lost" not in said and "tsmbd:" not in said, said
